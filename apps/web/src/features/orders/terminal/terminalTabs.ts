import { useCallback, useState } from 'react'

/** Of one order, as the machine allows. */
export const MAX_TERMINALS = 8

/** A terminal of this window: its number, and which shell it shows. */
export interface TerminalTabState {
  number: number
  /** Undefined until there is one. */
  session: string | undefined
}

const keyOf = (place: string) => `rackfair.terminals.${place}`
const FIRST: readonly TerminalTabState[] = [{ number: 1, session: undefined }]

/** Kept for a reload of this window alone: two windows would take the same shell from each other. */
function readTabs(place: string): readonly TerminalTabState[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? '')
    if (!Array.isArray(kept)) return FIRST
    const tabs = kept.flatMap((one: Partial<TerminalTabState> | null): TerminalTabState[] =>
      Number.isInteger(one?.number) && /^[0-9a-f]{32}$/.test(one?.session ?? '')
        ? [{ number: one?.number as number, session: one?.session }]
        : [],
    )
    return tabs.length > 0 ? tabs.slice(0, MAX_TERMINALS) : FIRST
  } catch {
    return FIRST
  }
}

function writeTabs(place: string, tabs: readonly TerminalTabState[]): void {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(tabs.filter(({ session }) => session !== undefined)))
  } catch {
    // Without storage a reload begins a new shell.
  }
}

/** The terminals of an order in this window, or of a `place` in it that has its own. There is always one. */
export function useTerminalTabs(place: string) {
  const [tabs, setTabs] = useState(() => readTabs(place))
  const [shown, setShown] = useState(() => tabs[0]?.number ?? 1)
  const change = useCallback(
    (make: (before: readonly TerminalTabState[]) => readonly TerminalTabState[]) =>
      setTabs((before) => {
        const next = make(before)
        writeTabs(place, next)
        return next
      }),
    [place],
  )
  const setSession = useCallback(
    (number: number, session: string | undefined) =>
      change((before) => before.map((tab) => (tab.number === number ? { number, session } : tab))),
    [change],
  )
  return {
    tabs,
    shown,
    show: setShown,
    setSession,
    add() {
      const number = Math.max(0, ...tabs.map((tab) => tab.number)) + 1
      change((before) => [...before, { number, session: undefined }])
      setShown(number)
    },
    close(number: number) {
      const at = tabs.findIndex((tab) => tab.number === number)
      const left = tabs.filter((tab) => tab.number !== number)
      const next = left.length > 0 ? left : [{ number: number + 1, session: undefined }]
      change(() => next)
      if (number === shown) setShown((next[Math.min(at, next.length - 1)] as TerminalTabState).number)
    },
  }
}
