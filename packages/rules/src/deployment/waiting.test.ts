import { expect, test } from 'vitest'
import { seenOf } from './waiting.ts'

const at = (...places: [string, number][]) => ({ port: 8188, listens: places.map(([address, port]) => ({ address, port })) })

test.each([
  ['what cannot be known', { port: 8188 }, 'unknown', []],
  ['no socket', at(), 'nothing', []],
  ['the loopback', at(['127.0.0.1', 8188], ['0.0.0.0', 22]), 'inside', ['127.0.0.1:8188']],
  ['another loopback', at(['127.8.0.1', 8188]), 'inside', ['127.8.0.1:8188']],
  ['the loopbacks of both families', at(['127.0.0.1', 8188], ['::1', 8188]), 'inside', ['127.0.0.1:8188', '[::1]:8188']],
  ['other ports', at(['0.0.0.0', 3000], ['::', 9000]), 'elsewhere', ['0.0.0.0:3000', '[::]:9000']],
  ['every address', at(['127.0.0.1', 8188], ['0.0.0.0', 8188]), 'silent', ['127.0.0.1:8188', '0.0.0.0:8188']],
] as const)('an application that listens at %s', (_, waiting, seen, places) => {
  expect(seenOf(waiting)).toEqual({ seen, at: places })
})
