import type { HardwareMeasurement } from '@rackfair/sdk/http'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Address } from '../../ui/Address.tsx'
import { hardwareTexts } from './hardwareTexts.ts'
import { measuredSize } from './measuredSize.ts'

const MAX_LINES = 6

/** What each monitor measured, newest first, and why a result does not count. `rev` is the machine as it is offered now. */
export function HardwareResults({ results, rev }: { results: readonly HardwareMeasurement[]; rev: number }) {
  const text = useMessages(hardwareTexts)
  if (results.length === 0) return <p className="mt-3 text-xs text-ink-3">{text.noResults}</p>
  return (
    <>
      <h3 className="mt-4 text-sm">{text.results}</h3>
      <ul className="mt-1 divide-y divide-line">
        {results.slice(0, MAX_LINES).map((one) => (
          <Result key={`${one.beacon} ${one.monitor}`} one={one} isOfNow={one.revision === rev} />
        ))}
      </ul>
      {results.length > MAX_LINES && <p className="pt-2 text-xs text-ink-3">{text.more(results.length - MAX_LINES)}</p>}
    </>
  )
}

function Result({ one, isOfNow }: { one: HardwareMeasurement; isOfNow: boolean }) {
  const text = useMessages(hardwareTexts)
  const format = useFormat()
  const size = (bytes: number) => measuredSize(bytes, format)
  const { outcome, memoryBytes, diskBytes, cores, hardwareClass, makingMs, limitMs, memoryWalkMs, diskWalkMs } = one
  const isFailure = outcome === 'late' || outcome === 'wrong'
  return (
    <li className="py-2.5">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className={`font-medium ${isFailure ? 'text-bad' : ''}`}>{text.outcomes[outcome]}</span>
        <span className="num text-xs text-ink-3">{format.dateTime(one.time)}</span>
      </p>
      {memoryBytes > 0 && (
        <p className="num text-xs text-ink-2">
          {text.figures(size(memoryBytes), size(diskBytes), format.number(cores), String(hardwareClass))}
        </p>
      )}
      {outcome === 'passed' && (
        <p className="num text-xs text-ink-3">
          {text.times(
            format.milliseconds(makingMs),
            format.milliseconds(limitMs),
            format.milliseconds(memoryWalkMs),
            format.milliseconds(diskWalkMs),
          )}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-ink-3">
        <Address value={one.monitor} />
        {!one.counts && <span>{text.notDrawn}</span>}
        {!isOfNow && <span>{text.otherRev}</span>}
      </p>
    </li>
  )
}
