import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import ssh2 from 'ssh2'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type AgentDb, openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { createSignInLimit } from './createSignInLimit.ts'
import { createSshKeys, type SshKeys } from './createSshKeys.ts'
import { createSshServer, type SshServer, type SshServerOptions } from './createSshServer.ts'
import { loadHostKey } from './hostKey.ts'

const OWNER = lowerCaseAddress(`0x${'aa'.repeat(20)}`)
const OTHER = lowerCaseAddress(`0x${'bb'.repeat(20)}`)
const LONG = { timeout: 60_000, interval: 20 }
const SSH = '/usr/bin/ssh'
const noSsh = existsSync(SSH) ? undefined : 'ssh is not installed'

describe('the end of an SSH connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-ssh-ends-'))
  const mine = loadHostKey(join(folder, 'mine'))
  const strangers = Array.from({ length: 17 }, (_, index) => loadHostKey(join(folder, `stranger${index}`)))
  const hostKey = loadHostKey(join(folder, 'host'))
  let state: AgentDb
  let keys: SshKeys
  let server: SshServer
  let port: number
  let owner: LowerCaseAddress | undefined
  const children = new Set<ChildProcessWithoutNullStreams>()

  const open = async (more: Partial<SshServerOptions> = {}) => {
    await server?.close()
    server = createSshServer({
      ...{ hostKey, keys, checkMs: 20, log: sayingLog(() => undefined), place: { host: '198.51.100.7', port: 22 } },
      limit: createSignInLimit({ tries: 5, now: () => 0 }),
      // What arrives too fast is refused before; here it is let in.
      pace: { calm: 1e9, each: 1e9, windowMs: 1000 },
      async ownerOf(orderId) {
        if (!owner) throw new AppError('order_not_active', `order ${orderId} is over`)
        return owner
      },
      inside: { exec: async (_orderId: bigint, command: readonly string[]) => run(command) } as never,
      ...more,
    })
    port = await server.listen(0, '127.0.0.1')
  }
  /** On this machine what would run in a container: a process group of its own. */
  const run = ([file, ...args]: readonly string[]) => {
    const child = spawn(file as string, args, { detached: true, cwd: folder })
    children.add(child)
    child.once('exit', () => children.delete(child))
    child.stdin.on('error', () => {})
    const exitCode = once(child, 'close').then(([code]) => Number(code ?? 137))
    const { stdin, stdout, stderr } = child
    return { stdin, stdout, stderr, exitCode, closeTerminals: () => void process.kill(-(child.pid as number), 'SIGKILL') }
  }
  beforeEach(async () => {
    owner = OWNER
    state = openAgentDb(':memory:')
    keys = createSshKeys(state, () => 1_795_000_000)
    keys.add(1n, mine.line, { wallet: OWNER, registeredBy: 'browser' })
    keys.add(2n, mine.line, { wallet: OWNER, registeredBy: 'browser' })
    await open()
  })
  afterEach(async () => {
    await server.close()
    state.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A client whose socket the test has in hand; `keys` are offered in turn. */
  const dial = (given: { order?: number; offered?: readonly string[]; localAddress?: string; signs?: boolean } = {}) => {
    const { order = 1, offered = [mine.private], localAddress = '127.0.0.1', signs = true } = given
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    const client = new ssh2.Client()
    onTestFinished(() => {
      client.destroy()
      socket.destroy()
    })
    client.on('error', () => {})
    socket.on('error', () => {})
    const ready = new Promise<boolean>((resolve) => {
      client.once('ready', () => resolve(true)).once('close', () => resolve(false))
    })
    const username = `order-${order}`
    const all = offered.map((key) => ({ type: 'publickey' as const, username, key }))
    const authHandler = signs ? all : () => undefined as never
    client.connect({ sock: socket, username, authHandler, readyTimeout: 60_000, keepaliveInterval: 0 })
    return { socket, client, ready }
  }
  const exec = (client: ssh2.Client, line: string) =>
    new Promise<ssh2.ClientChannel>((resolve, reject) =>
      client.exec(line, (error, channel) => (error ? reject(error) : resolve(channel))),
    )

  const give = (to: LowerCaseAddress | undefined) => {
    owner = to
  }
  const ends: [string, () => void][] = [
    [
      'a removed key',
      () => {
        keys.remove(1n, keys.list(1n, OWNER)[0]?.fingerprint ?? '')
        server.endRemoved(1n)
      },
    ],
    [
      'a revoked browser key',
      () => {
        keys.removeOf(1n, 'browser')
        server.endRemoved(1n)
      },
    ],
    ['an order that changed hands', () => give(OTHER)],
    ['an order that is over', () => give(undefined)],
  ]
  it.each(ends)('is enforced for %s, whatever the client goes on to send', async (what, end) => {
    const mark = join(folder, `mark-${Math.random()}`)
    const { client, socket, ready } = dial()
    expect(await ready).toBe(true)
    const channel = await exec(client, `while read line; do echo "$line" >>${mark}; done`)
    channel.write('before\n')
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8'), LONG).toBe('before\n')
    // Deaf from here on: neither the last word nor the end is heard.
    for (const event of ['data', 'end', 'readable']) socket.removeAllListeners(event)
    socket.pause()
    end()
    // The chain is asked now and then.
    if (what.includes('order')) await expect.poll(() => children.size, LONG).toBe(0)
    const sending = setInterval(() => channel.write('after\n'), 5)
    onTestFinished(() => clearInterval(sending))
    await expect.poll(() => [children.size, server.connections()], LONG).toEqual([0, 0])
    expect(readFileSync(mark, 'utf8')).toBe('before\n')
  })

  it('reaches a client that reads nothing, and the command that floods it', async () => {
    const { client, socket, ready } = dial()
    expect(await ready).toBe(true)
    await exec(client, 'yes')
    await expect.poll(() => children.size, LONG).toBe(1)
    socket.removeAllListeners('data')
    socket.pause()
    ends[0]?.[1]()
    await expect.poll(() => [children.size, server.connections()], LONG).toEqual([0, 0])
  })

  it('kills a command whose input nobody reads, when its client vanishes', async () => {
    const { client, socket, ready } = dial()
    expect(await ready).toBe(true)
    const channel = await exec(client, 'sleep 4000')
    channel.write(Buffer.alloc(1_500_000))
    await expect.poll(() => children.size, LONG).toBe(1)
    socket.resetAndDestroy()
    await expect.poll(() => children.size, LONG).toBe(0)
  })

  it('comes for whoever does not sign in in time, however far it got', async () => {
    await open({ signInMs: 150 })
    const raw = (text: string) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {}).resume()
      socket.once('connect', () => text && socket.write(text))
      // Half open: whoever closes only its side waits for ever.
      return new Promise<void>((resolve) => {
        const asking = setInterval(() => socket.write('\r\n', (error) => error && resolve()), 20)
        socket.once('close', () => resolve())
        onTestFinished(() => clearInterval(asking))
      })
    }
    await Promise.all([raw(''), raw('SSH-2.0-half_open\r\n'), raw('no protocol at all')])
    const { socket } = dial({ signs: false })
    await once(socket, 'close')
    await expect.poll(() => server.waiting(), LONG).toBe(0)
  })

  it('tells OpenSSH why', { skip: noSsh !== undefined }, async () => {
    const said = async (files: readonly string[], order = 1) => {
      const options = [
        'StrictHostKeyChecking=no',
        'UserKnownHostsFile=/dev/null',
        'IdentitiesOnly=yes',
        'BatchMode=yes',
        'IdentityAgent=none',
      ]
      const args = [
        '-F',
        '/dev/null',
        ...options.flatMap((one) => ['-o', one]),
        ...files.flatMap((file) => ['-i', join(folder, file)]),
      ]
      return new Promise<string>((resolve) => {
        execFile(SSH, [...args, '-p', String(port), `order-${order}@127.0.0.1`, 'true'], (_error, _stdout, stderr) =>
          resolve(stderr),
        )
      })
    }
    const names = strangers.map((_, index) => `stranger${index}`)
    expect(await said(names)).toContain('too many keys that this order does not know')
    // Unknown keys are refused one by one, so that a registered one behind them gets in.
    expect(await said([...names.slice(0, 9), 'mine'])).not.toMatch(/denied|too many|closed/i)
    const all = Array.from({ length: 8 }, () => dial())
    expect(await Promise.all(all.map(({ ready }) => ready))).toEqual(Array(8).fill(true))
    expect(await said(['mine'])).toContain('order 1 has 8 SSH connections open')
    expect(await said(['mine'], 2)).not.toMatch(/denied|too many|closed/i)
    const running = said(['mine'], 2)
    await running
    await open({ signInMs: 2000, ownerOf: () => new Promise(() => {}) })
    expect(await said(['mine'])).toContain('not signed in within 2 seconds')
  })

  it('a neighbour’s wrong keys keep no registered key of its network out, and count for their order only', async () => {
    const [wrong = '', ...more] = strangers.map(({ private: key }) => key)
    for (let round = 0; round < 6; round += 1) expect(await dial({ offered: [wrong] }).ready).toBe(false)
    expect(await dial().ready).toBe(true)
    expect(await dial({ offered: [wrong, ...more.slice(0, 4), mine.private] }).ready).toBe(true)
    // Of such a network, no more keys are taken than OpenSSH itself would; of another order, as many as ever.
    expect(await dial({ offered: [wrong, ...more.slice(0, 7), mine.private] }).ready).toBe(false)
    expect(await dial({ order: 2, offered: [wrong, ...more.slice(0, 7), mine.private] }).ready).toBe(true)
  })

  it.each(['silent', 'half-open greeters'])('512 %s of 16 addresses keep nobody out', async (kind) => {
    const attack = spawn(process.execPath, ['-e', ATTACK, String(port), kind === 'silent' ? '' : 'SSH-2.0-slow\r\n'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void attack.kill('SIGKILL'))
    await once(attack.stdout, 'data')
    // The system has accepted them; the server takes them one by one.
    await expect.poll(() => server.waiting(), { timeout: 60_000 }).toBeGreaterThan(100)
    expect(server.waiting()).toBeLessThanOrEqual(128)
    for (let round = 0; round < 3; round += 1) {
      const { client, ready } = dial()
      expect(await ready).toBe(true)
      await exec(client, 'true')
    }
    // From a network of the attack itself, and by a workspace.
    expect(await dial({ localAddress: '127.0.0.9' }).ready).toBe(true)
    expect(attack.exitCode).toBe(null)
    expect(server.waiting()).toBeLessThanOrEqual(128)
  })
})

/** Keeps 32 connections open from each of 16 addresses, and dials again whatever is dropped. */
const ATTACK = `
const { connect } = require('node:net')
const [port, text] = process.argv.slice(1)
let open = 0
let said = false
const dial = (localAddress) => {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => {}).resume()
  socket.once('connect', () => { open += 1; if (text) socket.write(text); if (open >= 512 && !said) { said = true; console.log('all') } })
  socket.once('close', () => setTimeout(() => dial(localAddress), 200))
}
for (let host = 2; host < 18; host += 1) for (let count = 0; count < 32; count += 1) dial('127.0.0.' + host)
`
