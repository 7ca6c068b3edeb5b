import { expect, test } from 'vitest'
import { listeningOf, parseListening } from './listening.ts'

const line = (index: number, local: string, state: string) =>
  `   ${index}: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0`

test.each([
  ['a loopback', line(0, '0100007F:1FFC', '0A'), [{ address: '127.0.0.1', port: 8188 }]],
  ['every address', line(0, '00000000:0050', '0A'), [{ address: '0.0.0.0', port: 80 }]],
  ['every address of IPv6', line(0, `${'0'.repeat(32)}:0050`, '0A'), [{ address: '::', port: 80 }]],
  ['the loopback of IPv6', line(0, `${'0'.repeat(24)}01000000:0050`, '0A'), [{ address: '::1', port: 80 }]],
  ['one that is connected', line(0, '0100007F:1FFC', '01'), []],
  ['a head', '  sl  local_address rem_address   st tx_queue', []],
  ['half a line', '   0: 0100007F:1F', []],
])('reads %s', (_, text, found) => expect(parseListening(text)).toEqual(found))

test('tells the lowest ports once each, and no more than can be of use', () => {
  const lines = Array.from({ length: 5000 }, (_, index) =>
    line(index, `00000000:${(9000 - index).toString(16).toUpperCase().padStart(4, '0')}`, '0A'),
  )
  const found = parseListening([...lines, ...lines].join('\n'))
  expect(found.map(({ port }) => port)).toEqual([4001, 4002, 4003, 4004, 4005, 4006, 4007, 4008])
})

test('says nothing of a process that is gone', async () => {
  expect(await listeningOf(process.pid)).toBeInstanceOf(Array)
  expect(await listeningOf(2 ** 30)).toBeUndefined()
})
