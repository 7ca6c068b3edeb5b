import { createInterface } from 'node:readline/promises'
import { visibleText } from '@rackfair/rules/text/visibleText'

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks on stderr, so that stdout carries only data. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(`${visibleText(question)} `, { signal })).trim()
  } finally {
    lines.close()
  }
}

/** Asks without echoing the answer. */
export async function askHidden(question: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(`${visibleText(question)} `)
  stdin.setRawMode(true)
  try {
    let text = ''
    for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted()
      for (const character of String(chunk)) {
        if (character === '\x03') throw new DOMException('interrupted', 'AbortError')
        if (character === '\r' || character === '\n' || character === '\x04') return text
        text = character === '\x7f' || character === '\b' ? text.slice(0, -1) : text + character
      }
    }
    return text
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}
