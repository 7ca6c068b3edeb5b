import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from '@rackfair/sdk'
import { findAgent, type Workspace } from '@rackfair/sdk/workspace'
import type { KeyPairs, StreamError } from '@rackfair/sealed'
import { freePort } from '@rackfair/testkit'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { makeWorkspaceKey } from '../../testing/makeTicket.ts'
import { openWorkspace, readText } from '../../testing/openWorkspace.ts'
import { startPlatformSide } from '../../testing/platformSide.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { startPlatform } from '../../testing/startPlatform.ts'
import { placeOf, visitPlatform } from '../../testing/visitPlatform.ts'
import { createOwnerAdmission } from '../owner/createOwnerAdmission.ts'
import { createSignatureCheck } from '../owner/createSignatureCheck.ts'
import { createWorkspaceKeys } from '../owner/createWorkspaceKeys.ts'
import { createRelayClient } from '../relay/createRelayClient.ts'
import { createStreamDesk } from './createStreamDesk.ts'
import { createWorkspaceServer, type WorkspaceServer } from './createWorkspaceServer.ts'
import { announceKeys, loadEncryptionKeys } from './encryptionKeys.ts'
import type { WorkspaceHandler } from './WorkspaceChannel.ts'

const LINE = 'the password of the database is correct horse'
const KEYS = 'sudo cat /root/very-secret-file'
const FILE = 'what nobody else is to read'
const USAGE = '"memoryBytes":20771234567'

describe('a workspace through the real platform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-workspace-'))
  let market: Awaited<ReturnType<typeof setupVerify>>
  let side: Awaited<ReturnType<typeof startPlatformSide>>
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let agent: { server: WorkspaceServer; stop(): Promise<void>; kill(): void }
  let keys: KeyPairs
  let orderId: bigint
  let otherOrder: bigint
  let port: number
  const state = { produced: 0, ended: 0 }

  const handlers: Record<string, WorkspaceHandler> = {
    async logs(_order, _request, channel) {
      await channel.write(Buffer.from(LINE))
    },
    async terminal(_order, _request, channel) {
      for await (const chunk of channel.incoming) await channel.write(chunk)
    },
    async files(_order, _request, channel) {
      await channel.write(Buffer.from(FILE))
      await new Promise((resolve) => channel.signal.addEventListener('abort', resolve))
    },
    async usage(_order, request, channel) {
      if ((request as { live?: boolean } | undefined)?.live) return channel.write(Buffer.from(USAGE))
      channel.signal.addEventListener('abort', () => {
        state.ended += 1
      })
      for (;;) {
        await channel.write(new Uint8Array(16_384))
        state.produced += 16_384
      }
    },
  }

  const startAgent = () => {
    const { chain, provider, context } = market
    const account = privateKeyToAccount(toHex(chain.accounts.provider.getHdKey().privateKey as Uint8Array))
    const facts = { chainId: chain.chainId, provider }
    const now = () => Math.floor(Date.now() / 1000)
    const log = sayingLog(() => undefined)
    const relay = createRelayClient({
      ...facts,
      ...{
        platformUrl: side.url,
        version: 'test',
        machine: async () => ({ cores: 2, memoryGb: 4, diskGb: 40, gpus: 0 }),
        account,
        log,
      },
      onDeploy: () => Promise.reject(new Error('nothing is deployed here')),
      liveDeployments: () => [],
      announcedKeys: () => announceKeys(keys, { ...facts, account, now: now() }),
      onDuplicate: () => undefined,
    })
    const server = createWorkspaceServer({
      ...facts,
      ...{ keys, log, checkMs: 1000 },
      desk: createStreamDesk(() => handlers, log),
      admission: createOwnerAdmission({
        ...facts,
        ...{ chain: context.chain, isSigned: createSignatureCheck(context.chain), sites: relay.sites, now },
        keys: createWorkspaceKeys(context.state, now),
      }),
    })
    relay.visitorConnection.serve(server.join(relay.visitorConnection, side.url))
    relay.start()
    return {
      server,
      async stop() {
        await server.stop()
        relay.stop()
      },
      /** Disconnects without notifying anyone. */
      kill: () => relay.stop(),
    }
  }
  const startReal = () => startPlatform(market.chain, folder, ['--public-url', side.url], port)

  beforeAll(async () => {
    market = await setupVerify(2)
    const { user, otherUser } = market.chain.accounts
    orderId = await market.buyer.buy(market.provider, 1n, 1, user)
    otherOrder = await market.buyer.buy(market.provider, 2n, 1, otherUser)
    keys = await loadEncryptionKeys(join(folder, 'encryption-keys.json'))
    port = await freePort()
    side = await startPlatformSide(() => `http://127.0.0.1:${port}`)
    platform = await startReal()
    agent = startAgent()
  })
  afterEach(() => {
    side.behaviour.change = ({ data }) => [data]
  })
  afterAll(async () => {
    await agent?.stop()
    await platform?.stop()
    side?.close()
    await market?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (order = orderId, wallet = market.chain.accounts.user) => {
    const { provider, chain } = market
    const facts = { orderId: order, provider, gateway: 'http://127.0.0.1:7070', chainId: chain.chainId, site: side.url }
    const place = await placeOf(side.url, provider)
    const wire = await visitPlatform(place.url.startsWith('/') ? side.url.replace('http', 'ws') + place.url : place.url)
    const key = await makeWorkspaceKey(wallet, facts)
    const workspace = await openWorkspace({ ...facts, wire, key, agent: place.agent })
    return { ...workspace, socket: wire.socket }
  }
  /** The agent may need a moment to reconnect. */
  const openSoon = async () => {
    for (;;) {
      const workspace = await open().catch((error: StreamError) => error)
      if (!(workspace instanceof Error)) return workspace
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  it('carries streams without plain text visible to the platform', async () => {
    const workspace = await open()
    expect(await readText(workspace.open('logs', { search: 'horse' }))).toBe(LINE)
    const terminal = workspace.open('terminal')
    await terminal.write(Buffer.from(KEYS))
    terminal.end()
    expect(await readText(terminal)).toBe(KEYS)
    expect(await readText(workspace.open('usage', { live: true }))).toBe(USAGE)
    const file = workspace.open('files', { op: 'get', path: '/data/diary-of-anna.txt' })
    expect(Buffer.from((await file.incoming[Symbol.asyncIterator]().next()).value as Uint8Array).toString()).toBe(FILE)
    await workspace.close()
    expect(side.bytes()).toBeGreaterThan(2_000)
    expect(side.saw('rackfair encryption keys')).toBe(true)
    for (const text of [LINE, KEYS, FILE, USAGE, 'horse', 'diary-of-anna', 'terminal', 'usage', `urn:rackfair:order:${orderId}`])
      expect([text, side.saw(text)]).toEqual([text, false])
  })

  const MIDDLE: [string, (record: Buffer, held: Buffer[]) => Buffer[]][] = [
    ['changed', (record) => [Buffer.from(record.map((byte, at) => (at === 12 ? byte ^ 1 : byte)))]],
    ['dropped', (record, held) => (held.length > 0 ? [record] : held.push(record) ? [] : [])],
    ['repeated', (record) => [record, record]],
    ['reordered', (record, held) => (held.length > 0 ? [record, ...held.splice(0)] : held.push(record) ? [] : [])],
  ]
  it.each(MIDDLE)('ends its streams with a clear error when the platform has %s a record, and reconnects', async (_, spoil) => {
    const workspace = await open()
    const terminal = workspace.open('terminal')
    await terminal.write(Buffer.from('one'))
    const reader = terminal.incoming[Symbol.asyncIterator]()
    expect(Buffer.from((await reader.next()).value as Uint8Array).toString()).toBe('one')
    const held: Buffer[] = []
    side.behaviour.change = ({ side: who, way, data }) => (who === 'visitor' && way === 'down' ? spoil(data, held) : [data])
    const wrote = (async () => {
      for (let word = 0; word < 20; word += 1) await terminal.write(Buffer.from(`word ${word}`))
    })().catch(() => undefined)
    await expect(
      (async () => {
        for (let next = await reader.next(); !next.done; next = await reader.next());
      })(),
    ).rejects.toMatchObject({ code: 'stream_broken' })
    await wrote
    side.behaviour.change = ({ data }) => [data]
    const again = await open()
    expect(await readText(again.open('logs'))).toBe(LINE)
    await again.close()
  })

  it('stalls only the stream that a visitor stops reading, within bounded memory', async () => {
    state.produced = 0
    const stalled = await open()
    stalled.socket.pause()
    stalled.open('usage')
    await expect.poll(() => state.produced).toBeGreaterThanOrEqual(256 * 1024)
    const other = await open(otherOrder, market.chain.accounts.otherUser)
    for (let round = 0; round < 20; round += 1) expect(await readText(other.open('logs'))).toBe(LINE)
    expect(state.produced).toBe(256 * 1024)
    const metrics = await (await fetch(`${platform.url}/metrics`)).text()
    expect(Number(/rackfair_workspace_unread_bytes (\d+)/.exec(metrics)?.[1])).toBeLessThan(512 * 1024)
    expect(metrics).toMatch(/rackfair_workspace_visitors [1-9]/)
    stalled.socket.terminate()
    await expect.poll(() => state.ended).toBeGreaterThan(0)
    await other.close()
  })

  /** Runs the page's own code with a stub for its window. */
  const openPage = async () => {
    const real = fetch
    vi.stubGlobal('window', { location: { origin: side.url } })
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(new URL(path, side.url), init))
    onTestFinished(() => void vi.unstubAllGlobals())
    const page = (file: string) => import(new URL(`../../../../web/src/entities/workspace/${file}`, import.meta.url).href)
    const { makeWorkspaceKey, findWorkspaceKey } = await page('workspaceKey.ts')
    const { connectWorkspace } = await page('connectWorkspace.ts')
    const { chain, provider, context } = market
    const { user } = chain.accounts
    const link = 'http://127.0.0.1:7070/?OrderId=1'
    const place = { chainId: chain.chainId, orderId: String(orderId), wallet: user.address, provider, link }
    const chainSide = { ...context.chain, explorerUrl: null }
    const finder = { ...context.chain, api: createApi({ baseUrl: '' }), platform: side.url }
    return {
      place,
      finder,
      async unlock(): Promise<Workspace> {
        const key = await makeWorkspaceKey(place, (message: string) => user.signMessage({ message }))
        expect(await findWorkspaceKey(place)).toBe(key)
        return connectWorkspace(place, key, chainSide)
      },
    }
  }

  it('opens streams over one connection with the web client, lists keys, and reports a revoked one', async () => {
    const page = await openPage()
    const workspace = await page.unlock()
    const [logs, terminal] = await Promise.all([workspace.open('logs'), workspace.open('terminal')])
    let text = ''
    for await (const bytes of logs.incoming) text += Buffer.from(bytes)
    expect(text).toBe(LINE)
    const own = (await workspace.keys()).find((one) => one.own)
    expect(own).toMatchObject({ revokedAt: null })
    await workspace.revoke(own?.key ?? '')
    await expect(terminal.closed).rejects.toMatchObject({ code: 'key_revoked' })
    await expect(workspace.open('logs')).rejects.toMatchObject({ code: 'key_revoked', retryable: false })
    workspace.close()
  })

  it('refuses keys in the browser that the provider’s operator has not signed', async () => {
    const { chainId } = market.chain
    const stranger = await announceKeys(keys, {
      account: privateKeyToAccount(generatePrivateKey()),
      ...{ chainId, provider: market.provider, now: Math.floor(Date.now() / 1000) },
    })
    const page = await openPage()
    const real = fetch
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) =>
      String(path).startsWith('/') ? Response.json({ keys: stranger, url: '/v1/workspace/0x' }) : real(path, init),
    )
    await expect(findAgent(page.finder, market.provider)).rejects.toMatchObject({ code: 'wrong_signer' })
  })

  it('follows a stream through a restart of the platform, from where it was', async () => {
    const workspace = await (await openPage()).unlock()
    const requests: unknown[] = []
    const states: string[] = []
    let lines = 0
    const leaving = new AbortController()
    const followed = workspace.follow({
      kind: 'files',
      request: () => {
        requests.push(lines)
        return { from: lines }
      },
      onBytes: (bytes) => {
        lines += bytes.length
        if (requests.length > 1) leaving.abort()
      },
      onState: (state) => states.push(state),
      signal: leaving.signal,
    })
    await expect.poll(() => lines).toBe(FILE.length)
    await platform.kill()
    await expect.poll(() => states.at(-1)).toBe('waiting')
    platform = await startReal()
    await followed
    expect([requests[0], new Set(requests.slice(1))]).toEqual([0, new Set([FILE.length])])
    expect(states.at(-1)).toBe('open')
    workspace.close()
  })

  it('ends streams with stream_interrupted when the platform is killed, and reconnects to the next', async () => {
    const workspace = await open()
    const terminal = workspace.open('terminal')
    await terminal.write(Buffer.from('one'))
    await platform.kill()
    await expect(terminal.closed).rejects.toMatchObject({ code: 'stream_interrupted' })
    platform = await startReal()
    const again = await openSoon()
    expect(await readText(again.open('logs'))).toBe(LINE)
    await again.close()
  })

  it('ends streams with stream_interrupted when the agent is killed, and reconnects under the same keys', async () => {
    const workspace = await openSoon()
    const terminal = workspace.open('terminal')
    await terminal.write(Buffer.from('one'))
    agent.kill()
    await expect(terminal.closed).rejects.toMatchObject({ code: 'stream_interrupted' })
    keys = await loadEncryptionKeys(join(folder, 'encryption-keys.json'))
    agent = startAgent()
    const again = await openSoon()
    expect(await readText(again.open('logs'))).toBe(LINE)
    await again.close()
  })
})
