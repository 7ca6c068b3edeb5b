import { useMemo, useState } from 'react'
import type { LogLines } from './LogLines.ts'
import { contains, LogMatches } from './LogMatches.ts'
import type { LogLevel } from './readLine.ts'

export interface LogSearchState {
  query: string
  /** Lines that contain it. */
  count: number
  /** Which of them the search stands at, from 1; 0 for none. */
  at: number
  /** The line that the search stands at. */
  current: number | undefined
  setQuery: (query: string) => void
  /** Goes to the next one, or with −1 to the one before; around at the ends. */
  step: (by: 1 | -1) => void
}

/** What is looked for in a log, among lines of one level where one is chosen. A search begins at the newest line. */
export function useLogSearch(log: LogLines, version: number, level: LogLevel | 'all' | undefined, goTo: (id: number) => void) {
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState<number>()
  const matches = useMemo(() => {
    if (query === '') return undefined
    const has = contains(query)
    return new LogMatches((line) => (level === undefined || line.level === level) && has(line))
  }, [query, level])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log changes in place, and its version says so
  const ids = useMemo(() => matches?.update(log) ?? [], [log, version, matches])
  const at = current === undefined ? -1 : ids.indexOf(current)
  const state: LogSearchState = {
    query,
    count: ids.length,
    at: at + 1,
    current: at < 0 ? undefined : current,
    setQuery: (next) => {
      setQuery(next)
      setCurrent(undefined)
    },
    step: (by) => {
      if (ids.length === 0) return
      const next = at < 0 ? (by === 1 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length
      const id = ids[next] as number
      setCurrent(id)
      goTo(id)
    },
  }
  return state
}
