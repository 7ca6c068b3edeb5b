import { encodeFrame, encodeJson, FRAME } from '@rackfair/protocol/frames'
import type { Workspace } from '@rackfair/sdk/workspace'
import { expect, it } from 'vitest'
import { asText, MAX_TEXT_BYTES, mediaTypeOf, readFile } from './readFile.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

it.each([
  ['a\nb', 'a\nb', '\n'],
  ['', '', '\n'],
  ['\uFEFFfirst', '\uFEFFfirst', '\n'],
  ['a\r\nb\r\n', 'a\nb\n', '\r\n'],
  ['a\r\nb\nc', 'a\nb\nc', undefined],
  ['a\rb', 'a\rb', undefined],
  ['你好 é', '你好 é', '\n'],
])('opens %j as text, and knows its line ends', (written, text, ending) => {
  expect(asText(bytesOf(written))).toEqual({ kind: 'text', text, ending })
})

it.each([
  ['a zero', new Uint8Array([65, 0, 66])],
  ['no UTF-8', new Uint8Array([0xff, 0xfe, 65])],
])('opens no text with %s', (_, bytes) => expect(asText(bytes)).toEqual({ kind: 'other' }))

it('knows pictures, sounds and films by their names', () => {
  expect(['a.PNG', 'b.c.jpeg', 'x.mp3', 'film.webm', 'png', 'a.txt', 'a.'].map(mediaTypeOf)).toEqual([
    'image/png',
    'image/jpeg',
    'audio/mpeg',
    'video/webm',
    undefined,
    undefined,
    undefined,
  ])
})

/** A machine that sends one file, of which it may say the size. */
function machine(pieces: readonly Uint8Array[], size?: number) {
  async function* incoming() {
    yield encodeJson({ type: 'file', ...(size === undefined ? {} : { size }) })
    for (const piece of pieces) yield encodeFrame(FRAME.bytes, piece)
    yield encodeJson({ done: true, notIncluded: 0 })
  }
  const open = async () => ({ incoming: incoming(), closed: Promise.resolve(), cancel: () => undefined })
  return { open } as unknown as Workspace
}
const signal = new AbortController().signal

it('reads no further than it shows, whatever size the machine names', async () => {
  const piece = new Uint8Array(2 ** 18).fill(65)
  const pieces = Array.from({ length: MAX_TEXT_BYTES / piece.length + 1 }, () => piece)
  for (const size of [undefined, 10, pieces.length * piece.length]) {
    const workspace = machine(pieces, size)
    expect(await readFile(workspace, '/data/log.txt', signal)).toEqual({ kind: 'large' })
  }
})

it('keeps a picture as it is, with its type', async () => {
  const workspace = machine([new Uint8Array([1, 2, 3])], 3)
  const opened = await readFile(workspace, '/data/cat.png', signal)
  expect(opened.kind).toBe('image')
  if (opened.kind !== 'image') return
  expect(opened.blob.type).toBe('image/png')
  expect(opened.blob.size).toBe(3)
})
