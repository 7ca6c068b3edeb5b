import { earliestMaintenance, MAINTENANCE, type MaintenanceProblem, maintenanceProblem } from '@rackfair/core'
import type { NodeWire, ProviderWire } from '@rackfair/core/wire'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../lib/useNow.ts'
import { Button } from '../../../ui/Button.tsx'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { providerMessages } from '../messages.ts'
import { WriteStatus } from '../WriteStatus.tsx'
import { fromLocalInput, suggestedTimes, toLocalInput } from './maintenanceTimes.ts'
import { useAnnouncement } from './useAnnouncement.ts'
import type { Monitors } from './useMonitors.ts'

interface MaintenanceDialogProps {
  provider: ProviderWire
  nodes: readonly NodeWire[]
  monitors: Monitors
  onClose: () => void
}

/** Asks when which machines may be down, and announces it. */
export function MaintenanceDialog({ provider, nodes, monitors, onClose }: MaintenanceDialogProps) {
  const all = useMessages(providerMessages)
  const text = all.maintenance
  const format = useFormat()
  const now = useNow(10_000) + monitors.aheadSeconds
  const { pace } = monitors
  const { send, refusal, state, busy } = useAnnouncement(provider.address as `0x${string}`, monitors)
  const [times, setTimes] = useState(() => {
    const { from, until } = suggestedTimes(pace, now)
    return { from: toLocalInput(from), until: toLocalInput(until) }
  })
  const [chosen, setChosen] = useState(() => new Set(nodes.slice(0, MAINTENANCE.maxNodes).map(({ id }) => id)))
  const [asked, setAsked] = useState(false)
  const most = format.number(MAINTENANCE.maxNodes)

  const [from, until] = [fromLocalInput(times.from), fromLocalInput(times.until)]
  const isTimed = !Number.isNaN(from) && !Number.isNaN(until)
  const problem = isTimed ? maintenanceProblem(pace, { nodes: chosen.size, from, until }, now) : ({ code: 'no_time' } as const)
  const sentence = (one: MaintenanceProblem | { code: 'no_time' }): string => {
    if (one.code === 'too_long') return text.problems.too_long(format.duration(one.maxSeconds))
    if (one.code === 'too_soon') return text.problems.too_soon(format.dateTime(one.earliest))
    if (one.code === 'over_month') return text.problems.over_month(format.dateTime(one.border))
    if (one.code === 'too_many_nodes') return text.problems.too_many_nodes(most)
    return text.problems[one.code]
  }
  const isOf = (codes: readonly string[]) => (asked && problem && codes.includes(problem.code) ? sentence(problem) : undefined)

  const announce = async () => {
    setAsked(true)
    if (problem || busy) return
    if (await send('announce', { nodeIds: [...chosen].map(BigInt), from, until })) onClose()
  }
  const choose = (id: number, isChosen: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      if (isChosen) next.add(id)
      else next.delete(id)
      return next
    })

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      dismissible={!busy}
      title={text.announceTitle}
      footer={
        <>
          <Button onClick={onClose}>{all.cancel}</Button>
          <Button variant="primary" pending={busy} onClick={() => void announce()}>
            {text.announce}
          </Button>
        </>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void announce()
        }}
      >
        <p className="text-ink-2">{text.what}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={text.from}
            hint={text.earliest(format.dateTime(earliestMaintenance(pace, now)))}
            error={isOf(['no_time', 'too_soon', 'over_month'])}
          >
            <TextInput
              type="datetime-local"
              data-start
              value={times.from}
              onChange={(value) => setTimes({ ...times, from: value })}
            />
          </Field>
          <Field
            label={text.until}
            hint={text.longest(format.duration(pace.epochSeconds * pace.epochsPerPeriod))}
            error={isOf(['ends_first', 'too_long'])}
          >
            <TextInput type="datetime-local" value={times.until} onChange={(value) => setTimes({ ...times, until: value })} />
          </Field>
        </div>
        <p className="text-xs text-ink-3">{text.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
        <fieldset>
          <legend className="font-medium">{text.machines}</legend>
          {nodes.length > MAINTENANCE.maxNodes && <p className="text-xs text-ink-3">{text.first(most)}</p>}
          <div className="mt-1 grid max-h-48 gap-x-4 overflow-y-auto sm:grid-cols-2">
            {nodes.map(({ id, nodename }) => (
              <Checkbox key={id} checked={chosen.has(id)} onChange={(isChosen) => choose(id, isChosen)}>
                {nodename}
              </Checkbox>
            ))}
          </div>
          <p aria-live="polite" className="text-xs text-bad empty:hidden">
            {isOf(['no_nodes', 'too_many_nodes'])}
          </p>
        </fieldset>
        <p className="text-xs text-ink-3">{text.signed}</p>
        <p role="alert" className="text-xs text-bad empty:hidden">
          {refusal}
        </p>
        <WriteStatus state={state} />
      </form>
    </Dialog>
  )
}
