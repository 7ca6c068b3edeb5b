import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectTo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import ssh2 from 'ssh2'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AgentDb, openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { createSignInLimit } from './createSignInLimit.ts'
import { createSshKeys } from './createSshKeys.ts'
import { createSshServer, type SshServer } from './createSshServer.ts'
import { loadHostKey } from './hostKey.ts'

const OWNER = lowerCaseAddress(`0x${'aa'.repeat(20)}`)
const LONG = { timeout: 60_000 }

describe('a hostile SSH client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-hostile-ssh-'))
  const mine = loadHostKey(join(folder, 'mine'))
  let state: AgentDb
  let server: SshServer
  let port: number
  let stream: Server
  let asked: number
  let answer: PromiseWithResolvers<LowerCaseAddress>
  let left: number
  const inside = new Set<Duplex>()
  const clients: ssh2.Client[] = []

  beforeEach(async () => {
    asked = 0
    left = 0
    answer = Promise.withResolvers()
    state = openAgentDb(':memory:')
    const keys = createSshKeys(state, () => 1_795_000_000)
    keys.add(1n, mine.line, { wallet: OWNER, registeredBy: 'browser' })
    server = createSshServer({
      ...{
        hostKey: loadHostKey(join(folder, 'host')),
        keys,
        checkMs: 1e6,
        log: sayingLog(() => undefined),
        place: { host: '198.51.100.7', port: 22 },
      },
      limit: createSignInLimit({ tries: 5, now: () => 0 }),
      // All of a test counts as one moment.
      pace: { calm: 30, each: 5, windowMs: 1e8 },
      ownerOf() {
        asked += 1
        return answer.promise
      },
      inside: {
        async connect() {
          const silent = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
          inside.add(silent)
          silent.once('close', () => inside.delete(silent))
          return silent
        },
      } as never,
    })
    port = await server.listen(0, '127.0.0.1')
    stream = createServer((socket) => {
      const carried = Duplex.from({ readable: socket.on('error', () => {}), writable: socket })
      socket.once('close', () => carried.destroy())
      void server.serve(1n, carried).then(() => {
        left += 1
      })
    })
    await new Promise<void>((resolve) => stream.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    await server.close()
    stream.close()
    state.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const connect = (at = port) => {
    const client = new ssh2.Client()
    clients.push(client)
    const ready = new Promise<boolean>((resolve) => {
      client.once('ready', () => resolve(true)).once('close', () => resolve(false))
    })
    client.on('error', () => {})
    client.connect({ host: '127.0.0.1', port: at, username: 'order-1', privateKey: mine.private, readyTimeout: 60_000 })
    return { client, ready }
  }
  const forward = (client: ssh2.Client) =>
    new Promise<boolean>((resolve) => {
      client.forwardOut('127.0.0.1', 1, 'localhost', 80, (error) => resolve(!error))
    })

  it('gets eight connections, even if more arrive while the chain is being read', async () => {
    const all = Array.from({ length: 20 }, () => connect())
    await expect.poll(() => asked, LONG).toBe(20)
    answer.resolve(OWNER)
    const entered = await Promise.all(all.map(({ ready }) => ready))
    expect(entered.filter((is) => is)).toHaveLength(8)
    expect(server.connections()).toBe(8)
  })

  it('is refused before a handshake where it comes too fast, and no other network is', async () => {
    const greeted = (localAddress: string) =>
      new Promise<boolean>((resolve) => {
        const socket = connectTo({ host: '127.0.0.1', port, localAddress })
        socket.once('data', () => resolve(true)).once('close', () => resolve(false))
        socket.on('error', () => {}).once('data', () => socket.destroy())
      })
    const countOf = async (localAddress: string) => {
      let count = 0
      for (let index = 0; index < 40; index += 1) if (await greeted(localAddress)) count += 1
      return count
    }
    expect([await countOf('127.0.0.41'), await countOf('127.0.0.42')]).toEqual([30, 5])
  })

  it('frees its connection when it leaves while the chain is being read', async () => {
    const { port: at } = stream.address() as { port: number }
    const gone = Array.from({ length: 8 }, () => connect(at))
    await expect.poll(() => asked, LONG).toBe(8)
    for (const { client } of gone) client.destroy()
    await expect.poll(() => left, LONG).toBe(8)
    answer.resolve(OWNER)
    expect(await connect().ready).toBe(true)
    expect(server.connections()).toBe(1)
  })

  it('gets 64 forwarded connections per order, over any number of its own', async () => {
    answer.resolve(OWNER)
    const all = [connect(), connect(), connect()]
    expect(await Promise.all(all.map(({ ready }) => ready))).toEqual([true, true, true])
    const opened = await Promise.all(
      all.map(async ({ client }) => {
        const each = await Promise.all(Array.from({ length: 32 }, () => forward(client)))
        return each.filter((is) => is).length
      }),
    )
    expect(opened.reduce((sum, count) => sum + count)).toBe(64)
    expect(inside.size).toBe(64)
    const most = Math.max(...opened)
    all.splice(opened.indexOf(most), 1)[0]?.client.end()
    await expect.poll(() => inside.size, LONG).toBe(64 - most)
    await expect.poll(() => forward((all[0] as (typeof all)[0]).client), LONG).toBe(true)
  })
})
