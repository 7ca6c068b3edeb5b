import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { TerminalSize } from './connectTerminal.ts'
import { limitRepeats } from './limitRepeats.ts'
import { takeInsertedText } from './takeInsertedText.ts'
import '@xterm/xterm/css/xterm.css'

const SCROLLBACK_LINES = 5000
const MIN_SIDE = 2
const MAX_SIDE = 500

/** The screen of one terminal: xterm in the colours and the font of the page. */
export function openScreen(place: HTMLElement, options: { label: string; screenReader: boolean; onLeave: () => void }) {
  const terminal = new Terminal({
    cursorBlink: false,
    fontFamily: getComputedStyle(place).fontFamily,
    fontSize: Number.parseFloat(getComputedStyle(place).fontSize),
    lineHeight: 1.4,
    scrollback: SCROLLBACK_LINES,
    screenReaderMode: options.screenReader,
    minimumContrastRatio: 4.5,
    theme: themeOf(place),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  limitRepeats(terminal)
  terminal.open(place)
  takeInsertedText(terminal)
  const relabel = (label: string) => terminal.textarea?.setAttribute('aria-label', label)
  relabel(options.label)
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true
    // Tab belongs to the shell, so there is another way out for who has no mouse.
    if (event.key === 'F6' && event.ctrlKey) options.onLeave()
    else if (event.key.toLowerCase() === 'c' && event.ctrlKey && event.shiftKey) copySelection(terminal)
    else return true
    event.preventDefault()
    return false
  })
  const size = (): TerminalSize => ({ columns: within(terminal.cols), rows: within(terminal.rows) })
  return {
    terminal,
    size,
    relabel,
    /** As large as its place. A place that is not shown has no size. */
    fit(): TerminalSize {
      if (place.clientWidth > 0) fit.fit()
      return size()
    },
    setScreenReader: (isOn: boolean) => {
      terminal.options.screenReaderMode = isOn
    },
    recolor: () => {
      terminal.options.theme = themeOf(place)
    },
    /** Resolves when it is drawn. */
    write: (data: Uint8Array | string) => new Promise<void>((resolve) => terminal.write(data, resolve)),
  }
}
export type Screen = ReturnType<typeof openScreen>

const within = (side: number): number => Math.max(MIN_SIDE, Math.min(MAX_SIDE, side))

function copySelection(terminal: Terminal): void {
  // Where the browser refuses, the selection is still there for its own menu.
  if (terminal.hasSelection()) navigator.clipboard?.writeText(terminal.getSelection()).catch(() => undefined)
}

/** The page's tokens, as they are where the terminal stands. */
function themeOf(place: HTMLElement): ITheme {
  const style = getComputedStyle(place)
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    ...{ background: token('code'), foreground: token('ink'), cursor: token('ink'), cursorAccent: token('code') },
    ...{ selectionBackground: token('line-2'), black: token('ink'), white: token('ink-2') },
    ...{ red: token('bad'), green: token('idle'), yellow: token('warn'), blue: token('run') },
    ...{ brightRed: token('bad'), brightGreen: token('idle'), brightYellow: token('warn'), brightBlue: token('run') },
    ...{ magenta: token('accent'), brightMagenta: token('accent'), cyan: token('run'), brightCyan: token('run') },
    ...{ brightBlack: token('ink-3'), brightWhite: token('ink') },
  }
}
