import type { AppError } from '@rackfair/rules/errors/AppError'
import type { TerminalEnd, Workspace } from '@rackfair/sdk/workspace'
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import { useDarkTheme } from '../../../platform/browser/theme.ts'
import { type ConnectedTerminal, connectTerminal, type TerminalSize } from './connectTerminal.ts'
import { openScreen, type Screen } from './openScreen.ts'

export type TerminalState =
  | { is: 'opening' | 'open' }
  /** Unix milliseconds. */
  | { is: 'lost'; since: number }
  | { is: 'closed'; why: TerminalEnd }
  | { is: 'failed'; error: AppError }

export interface TerminalOptions {
  workspace: Workspace
  place: RefObject<HTMLElement | null>
  label: string
  /** Writes each line for screen readers. */
  screenReader: boolean
  session: string | undefined
  onSession: (session: string | undefined) => void
  /** The keyboard leaves the terminal. */
  onLeave: () => void
  /** Printed on the screen when a new shell replaces the previous one. */
  anew: string
}

/** One terminal in its place: a screen, and the shell behind it. */
export function useTerminal(options: TerminalOptions) {
  const { workspace, place, label, screenReader } = options
  const latest = useRef(options)
  latest.current = options
  const isDark = useDarkTheme()
  const [state, setState] = useState<TerminalState>({ is: 'opening' })
  const [size, setSize] = useState<TerminalSize>()
  const [turn, again] = useReducer((count: number) => count + 1, 0)
  const held = useRef<{ screen: Screen; shell: ConnectedTerminal }>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` begins anew after an end
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { label, screenReader } = latest.current
    const screen = openScreen(element, { label, screenReader, onLeave: () => latest.current.onLeave() })
    const encoder = new TextEncoder()
    let isFirst = true
    setState({ is: 'opening' })
    const shell = connectTerminal(workspace, {
      session: latest.current.session,
      size: screen.fit(),
      events: {
        onOpened({ session, resumed }) {
          const isAnother = latest.current.session !== undefined && !resumed
          // What was on the screen comes again, whole.
          if (!isFirst || isAnother) screen.terminal.reset()
          if (isAnother) void screen.write(`\x1b[33m${latest.current.anew}\x1b[0m\r\n`)
          isFirst = false
          latest.current.onSession(session)
          screen.terminal.options.disableStdin = false
          setState({ is: 'open' })
        },
        onBytes: screen.write,
        onLost() {
          screen.terminal.options.disableStdin = true
          setState({ is: 'lost', since: Date.now() })
        },
        onClosed(why) {
          screen.terminal.options.disableStdin = true
          if (why === 'ended' || why === 'idle') latest.current.onSession(undefined)
          setState(typeof why === 'string' ? { is: 'closed', why } : { is: 'failed', error: why })
        },
      },
    })
    held.current = { screen, shell }
    const { terminal } = screen
    terminal.onData((text) => shell.type(encoder.encode(text)))
    terminal.onBinary((text) => shell.type(Uint8Array.from(text, (character) => character.charCodeAt(0))))
    const fit = () => {
      const next = screen.fit()
      shell.resize(next)
      setSize(next)
    }
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    fit()
    return () => {
      held.current = undefined
      observer.disconnect()
      shell.leave()
      terminal.dispose()
    }
  }, [workspace, place, turn])
  // In another language it has another name, and goes on.
  useEffect(() => void held.current?.screen.relabel(label), [label])
  useEffect(() => void held.current?.screen.setScreenReader(screenReader), [screenReader])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with the theme
  useEffect(() => held.current?.screen.recolor(), [isDark])

  return {
    state,
    size,
    again,
    focus: () => held.current?.screen.terminal.focus(),
    /** As if it were pasted: a shell that asks for it can tell it from what is typed. */
    paste: (text: string) => held.current?.screen.terminal.paste(text),
    type: (text: string) => held.current?.shell.type(new TextEncoder().encode(text)),
    end: () => held.current?.shell.end(),
  }
}
export type ShownTerminal = ReturnType<typeof useTerminal>
