import type { MarketNode } from '@rackfair/rules/node/node'
import type { Provider } from '@rackfair/rules/provider/provider'
import {
  earliestMaintenance,
  MAINTENANCE,
  type MaintenanceProblem,
  maintenanceNotice,
  maintenanceProblem,
} from '@rackfair/rules/uptime/maintenance'
import type { UsedMaintenance } from '@rackfair/sdk/http'
import { useState } from 'react'
import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { WriteStatus } from '../../entities/provider/WriteStatus.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Field } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { MachineChoice } from './MachineChoice.tsx'
import { leastLeft, leftAround, takenSeconds } from './maintenanceLeft.ts'
import { fromLocalInput, suggestedTimes, toLocalInput } from './maintenanceTimes.ts'
import { maintenanceMessages } from './messages.ts'
import { useAnnouncement } from './useAnnouncement.ts'
import type { Monitors } from './useMonitors.ts'

interface MaintenanceDialogProps {
  provider: Provider
  nodes: readonly MarketNode[]
  monitors: Monitors
  /** Undefined where it could not be read. */
  used: readonly UsedMaintenance[] | undefined
  onClose: () => void
}

type Problem = MaintenanceProblem | { code: 'no_time' } | { code: 'used' | 'no_pieces'; nodeId: number }

/** Asks when which machines may be down, and announces it. */
export function MaintenanceDialog({ provider, nodes, monitors, used, onClose }: MaintenanceDialogProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(maintenanceMessages)
  const format = useFormat()
  const now = useNow(10_000) + monitors.aheadSeconds
  const { pace } = monitors
  const { send, refusal, state, busy } = useAnnouncement(provider.address, monitors)
  const [times, setTimes] = useState(() => {
    const { from, until } = suggestedTimes(pace, now)
    return { from: toLocalInput(from), until: toLocalInput(until) }
  })
  // Nobody means all of very many.
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(nodes.length > MAINTENANCE.maxNodes ? [] : nodes.map(({ nodeId }) => nodeId)),
  )
  const [asked, setAsked] = useState(false)

  const [from, until] = [fromLocalInput(times.from), fromLocalInput(times.until)]
  const earliest = earliestMaintenance(pace, now)
  const notice = format.longDuration(maintenanceNotice(pace))
  const left = leftAround(pace, used ?? [], Number.isNaN(from) ? earliest : from)

  const problemNow = (): Problem | undefined => {
    if (Number.isNaN(from) || Number.isNaN(until)) return { code: 'no_time' }
    // Too many for one call are split over several.
    const problem = maintenanceProblem(pace, { nodes: Math.min(chosen.size, MAINTENANCE.maxNodes), from, until }, now)
    if (problem) return problem
    const taken = takenSeconds(pace, { from, until })
    for (const nodeId of chosen) {
      if (left.of(nodeId).pieces === 0) return { code: 'no_pieces', nodeId }
      if (left.of(nodeId).seconds < taken) return { code: 'used', nodeId }
    }
    return undefined
  }
  const problem = problemNow()
  const nameOf = (nodeId: number) => nodes.find((node) => node.nodeId === nodeId)?.name ?? String(nodeId)
  const most = format.number(MAINTENANCE.maxNodes)
  const sentence = (one: Problem): string => {
    if (one.code === 'too_long') return text.problems.too_long(format.duration(one.maxSeconds))
    if (one.code === 'too_soon') return text.problems.too_soon(notice, format.dateTime(one.earliest))
    if (one.code === 'too_far') return text.problems.too_far(format.dateTime(one.latest))
    if (one.code === 'over_month') return text.problems.over_month(format.dateTime(one.border))
    if (one.code === 'no_pieces') return text.problems.no_pieces(nameOf(one.nodeId), format.number(MAINTENANCE.maxWindows))
    if (one.code === 'used') {
      const seconds = left.of(one.nodeId).seconds
      return text.problems.used(
        nameOf(one.nodeId),
        format.duration(seconds),
        format.duration(takenSeconds(pace, { from, until })),
      )
    }
    return one.code === 'too_many_nodes' ? text.refused.TooManyNodes : text.problems[one.code]
  }
  const isOf = (codes: readonly string[]) => (asked && problem && codes.includes(problem.code) ? sentence(problem) : undefined)

  const announce = async () => {
    setAsked(true)
    if (problem || busy) return
    if (await send('announce', { nodeIds: [...chosen].map(BigInt), from, until })) onClose()
  }
  const asideOf = (nodeId: number) => {
    const { seconds, pieces } = left.of(nodeId)
    if (seconds === 0 || pieces === 0) return text.piecesUsed
    return seconds < left.all.seconds ? text.leftOf(format.duration(seconds)) : undefined
  }
  const least = leastLeft([...chosen].map(left.of), left.all)

  return (
    <FormDialog
      wide
      title={text.announceTitle}
      cancel={shared.cancel}
      submit={text.announce}
      submitting={busy}
      onSubmit={() => void announce()}
      onClose={onClose}
    >
      <p className="text-ink-2">{text.what}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={text.from}
          hint={`${text.ahead(notice)} ${text.earliest(format.dateTime(earliest))}`}
          error={isOf(['no_time', 'too_soon', 'too_far', 'over_month'])}
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
          hint={
            used
              ? text.left(format.duration(least), format.duration(left.all.seconds))
              : text.leftUnknown(format.duration(left.all.seconds))
          }
          error={isOf(['ends_first', 'too_long'])}
        >
          <TextInput type="datetime-local" value={times.until} onChange={(value) => setTimes({ ...times, until: value })} />
        </Field>
      </div>
      <p className="text-xs text-ink-3">{text.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
      <MachineChoice nodes={nodes} chosen={chosen} onChange={setChosen} asideOf={asideOf}>
        <p aria-live="polite" className="text-xs text-bad empty:hidden">
          {isOf(['no_nodes', 'used', 'no_pieces'])}
        </p>
        {chosen.size > MAINTENANCE.maxNodes && (
          <p className="text-xs text-ink-2">
            {text.several(format.number(chosen.size), format.number(Math.ceil(chosen.size / MAINTENANCE.maxNodes)), most)}
          </p>
        )}
      </MachineChoice>
      <p className="text-xs text-ink-3">
        {text.signed} {text.fixed(notice)}
      </p>
      <p role="alert" className="text-xs text-bad empty:hidden">
        {refusal}
      </p>
      <WriteStatus state={state} />
    </FormDialog>
  )
}
