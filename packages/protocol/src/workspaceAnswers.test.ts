import { expect, test } from 'vitest'
import {
  downloadMessage,
  type ExecEnded,
  execMessage,
  type FileBegin,
  type FileDone,
  type FileList,
  type FileSpace,
  listMessage,
  type MachinesHistory,
  type MachinesNow,
  machinesMessage,
  type RegisteredKey,
  type SshAccess,
  sshAccess,
  terminalMessage,
  type UsageHistory,
  type UsageLimits,
  type UsageNow,
  usageMessage,
  workspaceKeys,
} from './workspaceAnswers.ts'

const ssh = (json: unknown) => sshAccess(json, 'ssh')
const keys = (json: unknown) => workspaceKeys(json, 'keys')
const terminal = (json: unknown) => terminalMessage(json, 'terminal')
const ended = (json: unknown) => execMessage(json, 'exec')
const files = (json: unknown) => listMessage(json, 'files')
const download = (json: unknown) => downloadMessage(json, 'download')
const usage = (json: unknown) => usageMessage(json, 'usage')
const machines = (json: unknown) => machinesMessage(json, 'machines')

const KEY = { type: 'ssh-ed25519', fingerprint: 'SHA256:abc', comment: 'me@home', addedAt: 1_800_000_000, usedAt: null }
const ACCESS = {
  ...{ keys: [KEY], user: 'order-12', host: '127.0.0.1', port: 2222, fingerprint: 'SHA256:def' },
  hostKey: { text: 'host key', signature: '0xab' },
} satisfies SshAccess
const OWN = { key: '0x04ab', issuedAt: 1, expiresAt: 2, usedAt: 1, revokedAt: null, own: true } satisfies RegisteredKey

test('parses who has access', () => {
  expect(ssh(ACCESS)).toEqual(ACCESS)
  expect(ssh({ ...ACCESS, port: null, host: '[2001:db8::1]' }).port).toBeNull()
  expect(keys([OWN])).toEqual([OWN])
  expect(terminal({ session: 'ab', resumed: false })).toEqual({ session: 'ab', resumed: false })
  expect(terminal({ closed: 'taken' })).toEqual({ closed: 'taken' })
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
])('%s is refused', (_, json, field) => expect(() => ssh(json)).toThrow(`cannot be read: ${field}`))

test('refuses malformed keys and terminals', () => {
  expect(() => keys({ 0: OWN })).toThrow(/keys is not a list/)
  expect(() => keys([{ ...OWN, expiresAt: 1e15 }])).toThrow(/keys.expiresAt/)
  expect(() => terminal({ closed: 'bored' })).toThrow(/terminal.closed/)
  expect(() => terminal({ session: 5, resumed: true })).toThrow(/terminal.session/)
})

test('accepts the exit codes of a process', () => {
  expect(ended({ exitCode: 0 } satisfies ExecEnded)).toEqual({ exitCode: 0 })
  expect(ended({ exitCode: 255 } satisfies ExecEnded)).toEqual({ exitCode: 255 })
  expect(ended({ later: 1 })).toBeUndefined()
})

test.each([1.5, -1, 256, 1e308, '0', null])('refuses the exit code %j, which no process can have', (exitCode) =>
  expect(() => ended({ exitCode })).toThrow('cannot be read: exec.exitCode'),
)

const ENTRY = { name: 'model.bin', type: 'file' as const, size: 5, modified: -1 }

test('parses a folder as entries and disk space', () => {
  expect(files({ entries: [ENTRY] } satisfies FileList)).toEqual({ entries: [ENTRY] })
  expect(files({ freeBytes: 1, sizeBytes: 2 } satisfies FileSpace)).toEqual({ freeBytes: 1, sizeBytes: 2 })
  expect(files({ later: true })).toBeUndefined()
})

test.each([
  ['a name of a million characters', { entries: [{ ...ENTRY, name: 'x'.repeat(1e6) }] }, 'files.entries.name'],
  ['a kind that nobody knows', { entries: [{ ...ENTRY, type: 'portal' }] }, 'files.entries.type'],
  ['a size below nothing', { entries: [{ ...ENTRY, size: -5 }] }, 'files.entries.size'],
  ['a file from after all time', { entries: [{ ...ENTRY, modified: 1e15 }] }, 'files.entries.modified'],
  ['entries that are no list', { entries: 'all' }, 'files.entries'],
  ['a disk of a text', { freeBytes: '1', sizeBytes: 2 }, 'files.freeBytes'],
])('%s is refused', (_, json, field) => expect(() => files(json)).toThrow(`cannot be read: ${field}`))

test('parses a download as a file with a size or a folder without, and its end', () => {
  expect(download({ type: 'file', size: 5 } satisfies FileBegin)).toEqual({ type: 'file', size: 5 })
  expect(download({ type: 'tar' } satisfies FileBegin)).toEqual({ type: 'tar' })
  expect(download({ done: true } satisfies FileDone)).toEqual({ done: true })
  expect(download({ done: true, notIncluded: 3 } satisfies FileDone)).toEqual({ done: true, notIncluded: 3 })
  expect(download({ later: 1 })).toBeUndefined()
})

test.each([
  ['a size that is no number', { type: 'file', size: { toString: 1 } }, 'download.size'],
  ['a size below nothing', { type: 'file', size: -1 }, 'download.size'],
  ['a kind that nobody knows', { type: 'portal', size: 1 }, 'download.type'],
  ['nothing', null, 'download'],
])('a download of %s is refused', (_, json, field) => expect(() => download(json)).toThrow(`cannot be read: ${field}`))

const POINT = {
  ...{
    time: 1_800_000_000,
    cores: 1.5,
    processes: 2.5,
    memoryBytes: 2 ** 30,
    diskBytes: 5,
    receivedPerSecond: 0.5,
    sentPerSecond: 1,
  },
  gpus: [{ usePercent: 10, memoryUsedMb: 5, celsius: -3, watts: 90 }],
}
const LIMITS = { cores: 4, memoryBytes: 8, diskBytes: 20, gpus: [{ model: 'RTX 4090', memoryMb: 24_576 }] }
const GPU = { model: 'RTX 4090', celsius: 84, slowsAtCelsius: 83, problem: 'XID 79' }
const now = (gpu: object = {}, node: object = {}) => ({
  ...{ type: 'now', time: 1_800_000_000, version: '1', gpus: [{ ...GPU, ...gpu }] },
  nodes: [{ nodeId: 3, use: 0.5, gpus: [0], ...node }],
})
const history = (point: object = {}) => ({ type: 'history', nodes: [{ nodeId: 3, points: [{ time: 5, use: 0.5, ...point }] }] })

test('parses the usage that an agent reports, and drops unknown fields', () => {
  expect(usage({ type: 'limits', ...LIMITS } satisfies UsageLimits)).toEqual({ type: 'limits', ...LIMITS })
  expect(usage({ type: 'history', points: [POINT] } satisfies UsageHistory)).toMatchObject({ points: [POINT] })
  expect(usage({ type: 'now', point: POINT } satisfies UsageNow)).toEqual({ type: 'now', point: POINT })
  expect(usage({ type: 'now', point: { ...POINT, sentPerSecond: -5 } })).toMatchObject({ point: { sentPerSecond: 0 } })
  expect(machines(now() as MachinesNow)).toMatchObject({ gpus: [GPU], nodes: [{ nodeId: 3, use: 0.5, gpus: [0] }] })
  expect(machines(now({}, { nodeId: 2 ** 32 - 1 }))).toMatchObject({ nodes: [{ nodeId: 2 ** 32 - 1 }] })
  expect(machines(history() as MachinesHistory)).toEqual({
    ...{ type: 'history', nodes: [{ nodeId: 3, points: [{ time: 5, use: 0.5 }] }] },
  })
  expect([usage({ type: 'weather' }), machines({ type: 'weather' })]).toEqual([undefined, undefined])
})

test.each([
  ['no message', null, 'usage'],
  ['a message without a kind', POINT, 'usage.type'],
  ['a point on no day', { type: 'now', point: { ...POINT, time: 1e15 } }, 'usage.point.time'],
  ['less than no memory', { type: 'now', point: { ...POINT, memoryBytes: -1 } }, 'usage.point.memoryBytes'],
  ['a heat that is a text', { type: 'now', point: { ...POINT, gpus: [{ celsius: 'hot' }] } }, 'usage.point.gpus.celsius'],
  ['a heat without bounds', { type: 'now', point: { ...POINT, gpus: [{ celsius: 1e300 }] } }, 'usage.point.gpus.celsius'],
  ['points without end', { type: 'history', points: Array(10_001).fill(POINT) }, 'usage.points'],
  ['cards without end', { type: 'limits', gpus: Array(4097).fill({ model: '' }) }, 'usage.gpus'],
  ['a card of a million characters', { type: 'limits', gpus: [{ model: 'x'.repeat(1e6) }] }, 'usage.gpus.model'],
])('%s is refused', (_, json, field) => expect(() => usage(json)).toThrow(`cannot be read: ${field}`))

test.each([
  ['a card without a name', now({ model: undefined }), 'machines.gpus.model'],
  ['a problem of a million characters', now({ problem: 'x'.repeat(1e6) }), 'machines.gpus.problem'],
  ['a node that is none', now({}, { nodeId: -1 }), 'machines.nodes.nodeId'],
  ['a node beyond the last', now({}, { nodeId: 2 ** 32 }), 'machines.nodes.nodeId'],
  ['a place that is no number', now({}, { gpus: ['0'] }), 'machines.nodes.gpus'],
  ['a use of less than nothing', now({}, { use: -0.1 }), 'machines.nodes.use'],
  ['a use at no time', history({ time: null }), 'machines.nodes.points.time'],
])('%s is refused too', (_, json, field) => expect(() => machines(json)).toThrow(`cannot be read: ${field}`))
