import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { styleText } from 'node:util'

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
    createInterface({ input: stream }).on('line', (text) => text.trim() !== '' && print.line(name, text))
  },
}
export type Print = typeof print

function prefix(name: string): string {
  const colour = colours.get(name) ?? COLOURS[colours.size % COLOURS.length] ?? 'cyan'
  colours.set(name, colour)
  return styleText(colour, `${name.padEnd(8)} |`)
}
