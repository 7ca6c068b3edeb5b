import { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import { limitRepeats } from './limitRepeats.ts'

async function shown(written: string): Promise<(string | undefined)[]> {
  const terminal = new Terminal({ cols: 10, rows: 3 })
  limitRepeats(terminal)
  await new Promise<void>((resolve) => terminal.write(written, resolve))
  const lines = [0, 1, 2].map((row) => terminal.buffer.active.getLine(row)?.translateToString(true))
  terminal.dispose()
  return lines
}

test.each(['b', 'I', 'Z', 'L', 'M', 'S', 'T'])('ignores CSI %s repeated two billion times', async (final) =>
  expect(await shown(`a\x1b[2147483647${final}`)).toEqual(['a', '', '']),
)

test('repeats sequences as often as the screen has room', async () => {
  expect(await shown('a\x1b[4b')).toEqual(['aaaaa', '', ''])
  expect(await shown('a\x1b[2L')).toEqual(['', '', 'a'])
  expect(await shown('a\r\nb\x1b[S')).toEqual(['b', '', ''])
  expect(await shown('a\x1b[500S')).toEqual(['', '', ''])
})
