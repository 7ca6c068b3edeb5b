import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createDoorLines,
  type DoorKind,
  doorAgentMessage,
  doorEdgeMessage,
  formatDoorHello,
  formatDoorVisitor,
  MAX_DOOR_LINE,
  parseDoorTicket,
  parseDoorVisitor,
  readDoorMessage,
} from './door.ts'

describe('lines of a control connection', () => {
  it('are the same however the text arrives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string().map((text) => text.replaceAll('\n', ' '))),
        fc.infiniteStream(fc.nat(9)),
        (lines, cuts) => {
          const read: string[] = []
          const { push } = createDoorLines((line) => read.push(line))
          let text = lines.map((line) => `${line}\n`).join('')
          for (const cut of cuts) {
            if (text === '') break
            expect(push(text.slice(0, cut + 1))).toBe(true)
            text = text.slice(cut + 1)
          }
          expect(read).toEqual(lines)
        },
      ),
    )
  })

  it('end with one that is too long, finished or not', () => {
    const lines: string[] = []
    const make = () => createDoorLines((line) => lines.push(line))
    expect(make().push('x'.repeat(MAX_DOOR_LINE))).toBe(true)
    expect(make().push('x'.repeat(MAX_DOOR_LINE + 1))).toBe(false)
    expect(make().push(`${'x'.repeat(MAX_DOOR_LINE + 1)}\n`)).toBe(false)
    expect(lines).toEqual([])
  })
})

describe('messages', () => {
  it('keep what is known, and are ignored where their type is not', () => {
    expect(readDoorMessage(doorAgentMessage, '{"type":"spares","count":3,"later":1}')).toEqual({ type: 'spares', count: 3 })
    expect(readDoorMessage(doorEdgeMessage, '{"type":"later"}')).toBeUndefined()
  })

  it.each([
    '{',
    'null',
    '[]',
    '{"type":3}',
    '{"type":"spares"}',
    '{"type":"spares","count":65}',
    '{"type":"spares","count":-1}',
    '{"type":"hello","chainId":1,"provider":"0x1","signature":"0x"}',
  ])('end the connection where they are malformed: %s', (line) => {
    expect(() => readDoorMessage(doorAgentMessage, line)).toThrow()
  })
})

describe('the first line of a dialled connection', () => {
  it('is a ticket', () => {
    expect(parseDoorTicket(`${'0a'.repeat(16)}\n`)).toBe('0a'.repeat(16))
    for (const line of ['', '\n', `${'0A'.repeat(16)}\n`, '0a'.repeat(16), `${'0a'.repeat(17)}\n`])
      expect(parseDoorTicket(line)).toBeUndefined()
  })

  it('then says who visits', () => {
    const kinds: DoorKind[] = ['tls', 'plain', 'raw']
    for (const kind of kinds)
      for (const from of ['198.51.100.7', '2001:db8::1'])
        for (const name of ['', 'o-12.atlas.edge.example']) {
          const line = formatDoorVisitor({ kind, from, name })
          expect(parseDoorVisitor(line.slice(0, -1))).toEqual({ kind, from, name })
        }
    for (const line of [
      '',
      'tls',
      'tls 1.2.3.4',
      'ssh 1.2.3.4 ',
      'tls me there',
      'tls 1.2.3.4 A',
      `tls 1.2.3.4 ${'a'.repeat(254)}`,
    ])
      expect(parseDoorVisitor(line)).toBeUndefined()
  })
})

it('binds a hello to the provider, the edge, its challenge and the connection', () => {
  const facts = { chainId: 2985, provider: '0x00000000000000000000000000000000000000Aa', edge: 'edge.example' }
  const text = formatDoorHello({ ...facts, challenge: 'c', binding: 'b' })
  expect(text).toBe(
    'rackfair edge\nchain: 2985\nprovider: 0x00000000000000000000000000000000000000aa\nedge: edge.example\nchallenge: c\nconnection: b',
  )
})
