import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { visibleText } from '@rackfair/rules/text/visibleText'

const COLOURS = ['cyan', 'green', 'magenta', 'yellow', 'blue'] as const
const colours = new Map<string, (typeof COLOURS)[number]>()

/** What a person sees on the terminal: steps of the start, and the lines of every process behind its name. */
export const print = {
  step(text: string) {
    console.log(`${styleText('bold', '·')} ${text}`)
  },
  line(name: string, text: string) {
    console.log(`${prefix(name)} ${text}`)
  },
  stream(name: string, stream: Readable | null) {
    if (!stream) return
    createInterface({ input: stream }).on('line', (text) => text.trim() !== '' && print.line(name, visibleText(readable(text))))
  },
}
export type Print = typeof print

function prefix(name: string): string {
  const colour = colours.get(name) ?? COLOURS[colours.size % COLOURS.length] ?? 'cyan'
  colours.set(name, colour)
  return styleText(colour, `${name.padEnd(8)} |`)
}

const NOT_SHOWN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'name'])

/** A pino line as a person reads it: the message first, then what belongs to it. Any other line stays as it is. */
function readable(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const line = JSON.parse(text) as Record<string, unknown>
    if (typeof line.msg !== 'string') return text
    const facts = Object.entries(line).filter(([key]) => !NOT_SHOWN.has(key))
    const mark = Number(line.level) >= 50 ? 'ERROR ' : Number(line.level) >= 40 ? 'warning: ' : ''
    return `${mark}${line.msg}${facts.map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join('')}`
  } catch {
    return text
  }
}
