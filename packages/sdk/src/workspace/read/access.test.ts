import type { WorkspaceKeyWire } from '@rackfair/protocol/workspace'
import type { SshAccess } from '@rackfair/protocol/workspaceRequests'
import { expect, test } from 'vitest'
import { readRegisteredKeys, readSshAccess, readTerminalMessage } from './access.ts'

const KEY = { type: 'ssh-ed25519', fingerprint: 'SHA256:abc', comment: 'me@home', addedAt: 1_800_000_000, usedAt: null }
const ACCESS = {
  ...{ keys: [KEY], user: 'order-12', host: '127.0.0.1', port: 2222, fingerprint: 'SHA256:def' },
  hostKey: { text: 'host key', signature: '0xab' },
} satisfies SshAccess
const OWN = { key: '0x04ab', issuedAt: 1, expiresAt: 2, usedAt: 1, revokedAt: null, own: true } satisfies WorkspaceKeyWire

test('parses who has access', () => {
  expect(readSshAccess(ACCESS)).toEqual(ACCESS)
  expect(readSshAccess({ ...ACCESS, port: null, host: '[2001:db8::1]' }).port).toBeNull()
  expect(readRegisteredKeys([OWN])).toEqual([OWN])
  expect(readTerminalMessage({ session: 'ab', resumed: false })).toEqual({ session: 'ab', resumed: false })
  expect(readTerminalMessage({ closed: 'taken' })).toBe('taken')
})

test.each([
  ['a host that ends the command that people copy', { ...ACCESS, host: 'a; rm -rf ~' }, 'ssh.host'],
  ['a user with a line break', { ...ACCESS, user: 'order-12\nreboot' }, 'ssh.user'],
  ['a host that is an option', { ...ACCESS, host: '-oProxyCommand' }, 'ssh.host'],
  ['a port beyond the last', { ...ACCESS, port: 65_536 }, 'ssh.port'],
  ['a port that is a text', { ...ACCESS, port: '22' }, 'ssh.port'],
  ['a comment of a million characters', { ...ACCESS, keys: [{ ...KEY, comment: 'x'.repeat(1e6) }] }, 'ssh.keys.comment'],
  ['keys without end', { ...ACCESS, keys: Array(1001).fill(KEY) }, 'ssh.keys'],
  ['a host key unsigned', { ...ACCESS, hostKey: { text: 'host key' } }, 'ssh.hostKey.signature'],
])('%s is refused', (_, json, field) => expect(() => readSshAccess(json)).toThrow(`cannot be read: ${field}`))

test('refuses malformed keys and terminals', () => {
  expect(() => readRegisteredKeys({ 0: OWN })).toThrow(/keys is not a list/)
  expect(() => readRegisteredKeys([{ ...OWN, expiresAt: 1e15 }])).toThrow(/keys.expiresAt/)
  expect(() => readTerminalMessage({ closed: 'bored' })).toThrow(/terminal.closed/)
  expect(() => readTerminalMessage({ session: 5, resumed: true })).toThrow(/terminal.session/)
})
