import { expect, it } from 'vitest'
import { readMessage } from './agentSocket.ts'

it('replaces NUL in texts of an agent, which PostgreSQL refuses', () => {
  const hello = { type: 'hello', chainId: 1, provider: '0x'.padEnd(42, '1'), platform: 'http://a', session: '0'.repeat(32) }
  const read = readMessage(Buffer.from(JSON.stringify({ ...hello, version: '1.0.0\0' })))
  expect(read).toEqual({ ...hello, version: '1.0.0\uFFFD' })
})
