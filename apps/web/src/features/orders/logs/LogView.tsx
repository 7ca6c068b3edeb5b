import { Clock3, Download, LockKeyhole, Pause, Play, WrapText } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import type { Tone } from '../../../ui/tone.ts'
import type { LogLines } from './LogLines.ts'
import { LogMatches } from './LogMatches.ts'
import { LogMinutes } from './LogMinutes.tsx'
import { LogRows } from './LogRows.tsx'
import { LogSearch } from './LogSearch.tsx'
import { logMessages } from './messages.ts'
import type { LogLevel } from './readLine.ts'
import { layRows, placeOfId, rowOfPlace } from './rows.ts'
import { useLogSearch } from './useLogSearch.ts'

/** How the page stands to the log: `lost` since when, in unix milliseconds. */
export type LogState = { is: 'opening' | 'following' | 'ended' } | { is: 'lost'; since: number }

export interface LogViewProps {
  log: LogLines
  /** Whose lines they are, where they are of several. */
  services: readonly string[] | undefined
  /** Of the log, so that it is drawn again. */
  version: number
  state: LogState
  downloading: boolean
  onDownload: () => void
}

type Filter = 'all' | LogLevel

/** A log as it is followed, searched and kept. */
export function LogView({ log, services, version, state, downloading, onDownload }: LogViewProps) {
  const text = useMessages(logMessages)
  const format = useFormat()
  const [filter, setFilter] = useState<Filter>('all')
  const [wraps, setWraps] = useState(() => window.innerWidth < 768)
  const [stamps, setStamps] = useState(true)
  const [following, setFollowing] = useState(true)
  const [columns, setColumns] = useState(100)
  const [target, setTarget] = useState<{ row: number }>()
  const onColumns = useCallback((next: number) => setColumns(next), [])

  const chosen = useMemo(() => (filter === 'all' ? undefined : new LogMatches(({ level }) => level === filter)), [filter])
  const wrapAt = wraps ? columns : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log changes in place, and its version says so
  const rows = useMemo(() => layRows(log.lines, chosen?.update(log), wrapAt), [log, version, chosen, wrapAt])
  const goTo = useCallback(
    (id: number) => {
      setFollowing(false)
      setTarget({ row: rowOfPlace(rows, placeOfId(rows, id)) })
    },
    [rows],
  )
  const search = useLogSearch(log, version, chosen ? filter : undefined, goTo)

  const count = (level: LogLevel) => format.number(log.counts[level])
  return (
    <div className="fills">
      <div className="flex flex-wrap items-center gap-2 border-b border-line py-2.5 pr-3 pl-edge">
        <LogSearch search={search} />
        <Choice
          label={text.levels}
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'all', label: text.all },
            { value: 'info', label: text.info(count('info')) },
            { value: 'warn', label: text.warn(count('warn')) },
            { value: 'fail', label: text.fail(count('fail')) },
          ]}
        />
        <span className="ml-auto flex items-center gap-1">
          <Toggle label={text.wrap} on={wraps} onToggle={() => setWraps(!wraps)} icon={WrapText} />
          <Toggle label={text.stamps} on={stamps} onToggle={() => setStamps(!stamps)} icon={Clock3} />
          <Button
            variant="quiet"
            size="sm"
            aria-label={text.download}
            title={text.download}
            pending={downloading}
            onClick={onDownload}
            icon={<Download aria-hidden className="size-4" />}
          />
          <Button
            size="sm"
            onClick={() => setFollowing(!following)}
            icon={following ? <Pause aria-hidden className="size-3.5" /> : <Play aria-hidden className="size-3.5" />}
          >
            {following ? text.pause : text.follow}
          </Button>
        </span>
      </div>
      <LogMinutes log={log} onMinute={(minute) => goTo(log.lines.find(({ time }) => time >= minute * 60_000)?.id ?? 0)} />
      {rows.count === 0 && state.is !== 'opening' ? (
        <p className="log-rows px-edge py-3 text-ink-3">{log.lines.length === 0 ? text.empty : text.emptyFilter}</p>
      ) : (
        <LogRows
          {...{ rows, stamps, services, following, target, onColumns }}
          columns={wrapAt}
          query={search.query}
          current={search.current}
          onFollowing={setFollowing}
        />
      )}
      <LogFoot log={log} state={state} following={following} />
    </div>
  )
}

/** Where the log is, and since when it is kept. */
function LogFoot({ log, state, following }: Pick<LogViewProps, 'log' | 'state'> & { following: boolean }) {
  const text = useMessages(logMessages)
  const format = useFormat()
  const oldest = log.lines[0]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-edge py-2 text-xs text-ink-3">
      <Standing state={state} following={following} />
      {oldest && <span className="num">{text.lines(log.lines.length, format.stamp(Math.floor(oldest.time / 1000)))}</span>}
      <span className="ml-auto inline-flex items-center gap-1.5">
        <LockKeyhole aria-hidden className="size-3.5" />
        {text.sealed}
      </span>
    </div>
  )
}

const TONES: Record<LogState['is'], Tone> = { opening: 'off', following: 'run', ended: 'off', lost: 'warn' }

function Standing({ state, following }: { state: LogState; following: boolean }) {
  const text = useMessages(logMessages)
  const format = useFormat()
  const words =
    state.is === 'lost'
      ? text.lostSince(format.clock(Math.floor(state.since / 1000)))
      : state.is === 'following' && !following
        ? text.paused
        : text[state.is]
  return (
    <span role="status" className="inline-flex items-center gap-1.5">
      <StateShape tone={state.is === 'following' && !following ? 'off' : TONES[state.is]} />
      {words}
    </span>
  )
}

interface ToggleProps {
  label: string
  on: boolean
  onToggle: () => void
  icon: typeof WrapText
}

function Toggle({ label, on, onToggle, icon: Icon }: ToggleProps) {
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={on}
      aria-label={label}
      title={label}
      onClick={onToggle}
      icon={<Icon aria-hidden className={`size-4 ${on ? 'text-ink' : 'text-ink-3'}`} />}
    />
  )
}
