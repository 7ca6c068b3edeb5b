import type { MarketNode } from '@rackfair/rules/node/node'
import type { Provider } from '@rackfair/rules/provider/provider'
import { earliestMaintenance, MAINTENANCE, maintenanceNotice } from '@rackfair/rules/uptime/maintenance'
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
import { chosenProblem } from './chosenProblem.ts'
import { MachineChoice } from './MachineChoice.tsx'
import { leastLeft, leftAround, type MaintenanceLeft } from './maintenanceLeft.ts'
import { fromLocalInput, suggestedTimes, toLocalInput } from './maintenanceTimes.ts'
import { maintenanceMessages } from './messages.ts'
import { useAnnouncement } from './useAnnouncement.ts'
import type { Monitors } from './useMonitors.ts'
import { useProblemSentence } from './useProblemSentence.ts'

interface MaintenanceDialogProps {
  provider: Provider
  nodes: readonly MarketNode[]
  monitors: Monitors
  /** Undefined where it could not be read. */
  used: readonly UsedMaintenance[] | undefined
  onClose: () => void
}

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

  const problem = chosenProblem(pace, { chosen, from, until, left, now })
  const sentence = useProblemSentence(pace, nodes, { from, until, left })
  const isOf = (codes: readonly string[]) => (asked && problem && codes.includes(problem.code) ? sentence(problem) : undefined)

  const announce = async () => {
    setAsked(true)
    if (problem || busy) return
    if (await send('announce', { nodeIds: [...chosen].map(BigInt), from, until })) onClose()
  }
  const asideOf = ({ seconds, pieces }: MaintenanceLeft) =>
    seconds === 0 || pieces === 0
      ? text.piecesUsed
      : seconds < left.all.seconds
        ? text.leftOf(format.duration(seconds))
        : undefined
  const least = leastLeft([...chosen].map(left.of), left.all)
  const hours = format.duration(left.all.seconds)

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
      <Times
        times={times}
        onChange={setTimes}
        startHint={`${text.ahead(notice)} ${text.earliest(format.dateTime(earliest))}`}
        startError={isOf(['no_time', 'too_soon', 'too_far', 'over_month'])}
        endHint={used ? text.left(format.duration(least), hours) : text.leftUnknown(hours)}
        endError={isOf(['ends_first', 'too_long'])}
      />
      <MachineChoice nodes={nodes} chosen={chosen} onChange={setChosen} asideOf={(nodeId) => asideOf(left.of(nodeId))}>
        <p aria-live="polite" className="text-xs text-bad empty:hidden">
          {isOf(['no_nodes', 'used', 'no_pieces'])}
        </p>
        {chosen.size > MAINTENANCE.maxNodes && <SeveralCalls machines={chosen.size} />}
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

/** Says that so many machines are announced in several transactions. */
function SeveralCalls({ machines }: { machines: number }) {
  const text = useMessages(maintenanceMessages)
  const format = useFormat()
  const calls = Math.ceil(machines / MAINTENANCE.maxNodes)
  return (
    <p className="text-xs text-ink-2">
      {text.several(format.number(machines), format.number(calls), format.number(MAINTENANCE.maxNodes))}
    </p>
  )
}

interface TypedTimes {
  from: string
  until: string
}

interface TimesProps {
  /** As the browser's time fields have them. */
  times: TypedTimes
  onChange: (times: TypedTimes) => void
  startHint: string
  startError: string | undefined
  endHint: string
  endError: string | undefined
}

function Times({ times, onChange, startHint, startError, endHint, endError }: TimesProps) {
  const text = useMessages(maintenanceMessages)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={text.from} hint={startHint} error={startError}>
          <TextInput type="datetime-local" data-start value={times.from} onChange={(from) => onChange({ ...times, from })} />
        </Field>
        <Field label={text.until} hint={endHint} error={endError}>
          <TextInput type="datetime-local" value={times.until} onChange={(until) => onChange({ ...times, until })} />
        </Field>
      </div>
      <p className="text-xs text-ink-3">{text.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
    </>
  )
}
