import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deploymentIdOf } from '@rackfair/protocol/deploymentIdOf'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { ProviderWire } from '@rackfair/protocol/providers'
import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { createApi } from '@rackfair/sdk'
import { keccak256, stringToBytes, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { sayingLog } from '../../foundation/log.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { startPlatform } from '../../testing/startPlatform.ts'
import { createRelayClient } from './createRelayClient.ts'
import { createRelays } from './createRelays.ts'

const LONG = { timeout: 60_000 }

describe('the agent’s connections to real platforms', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-relay-'))
  let market: Awaited<ReturnType<typeof setupVerify>>
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let other: typeof platform
  beforeAll(async () => {
    market = await setupVerify(2)
    mkdirSync(join(folder, 'other'))
    const started = [startPlatform(market.chain, folder), startPlatform(market.chain, join(folder, 'other'))] as const
    ;[platform, other] = await Promise.all(started)
  })
  afterAll(async () => {
    await Promise.all([platform?.stop(), other?.stop()])
    await market?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const connect = (platforms: string | readonly string[], more: Partial<Parameters<typeof createRelays>[0]> = {}) => {
    const { chain, provider } = market
    const said: string[] = []
    let duplicates = 0
    const client = createRelays({
      ...{ platforms: [platforms].flat(), chainId: chain.chainId, provider, version: 'test' },
      machine: async () => ({ cores: 2, memoryGb: 4, diskGb: 40, gpus: 0 }),
      account: privateKeyToAccount(toHex(chain.accounts.provider.getHdKey().privateKey as Uint8Array)),
      onDeploy: () => Promise.reject(new Error('nothing is deployed here')),
      liveDeployments: () => [],
      announcedKeys: () => Promise.reject(new Error('nobody seals to this agent')),

      onDuplicate: () => {
        duplicates += 1
      },
      log: sayingLog((message, facts) => said.push(`${message} ${JSON.stringify(facts)}`)),
      ...more,
    })
    client.start()
    onTestFinished(client.stop)
    const isConnected = (index = 0) => client.connections()[index]?.isConnected
    return { client, said, isConnected, duplicates: () => duplicates }
  }

  it('is refused for a second agent with the same key, which logs why and does not retry', async () => {
    const first = connect(platform.url)
    await expect.poll(() => first.isConnected(), LONG).toBe(true)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const second = connect(platform.url)
    await expect.poll(second.duplicates, LONG).toBe(1)
    expect(second.said.join()).toContain('only one may run')
    expect(second.isConnected()).toBe(false)
    expect(first.isConnected()).toBe(true)
    expect(timers.mock.calls.filter(([work]) => work.name === 'connect')).toEqual([])
    timers.mockRestore()
    first.client.stop()
  })

  it('goes on where only one of its platforms says that another agent is connected', async () => {
    const first = connect(platform.url)
    await expect.poll(() => first.isConnected(), LONG).toBe(true)
    const both = connect([platform.url, other.url])
    await expect
      .poll(() => [both.isConnected(1), both.said.join()], LONG)
      .toEqual([true, expect.stringContaining('only one may run')])
    expect([both.isConnected(0), both.duplicates()]).toEqual([false, 0])
  })

  it('is one for each platform: all are told, and one that is killed takes nothing from the rest', async () => {
    const { chain, provider, buyer } = market
    const orderId = await buyer.buy(provider, 2n)
    const asked: string[] = []
    const id = 'as-the-agent-names-it'
    const deployment = (phase: DeploymentWire['phase'], text: string): DeploymentWire => ({
      ...{ id: deploymentIdOf(keccak256(stringToBytes(text))), orderId: String(orderId), deployId: 2, provider, phase },
      ...{ user: lowerCaseAddress(chain.accounts.user.address), requestedAt: Date.now(), visitUrl: null },
      steps: [{ phase, at: Date.now() }],
    })
    const agent = connect([platform.url, other.url, 'http://127.0.0.1:9'], {
      announcedKeys: async () => ({ text: id, signature: `0x${'00'.repeat(65)}` }),
      async onDeploy(request, from) {
        asked.push(from)
        return deployment('Accepted', (request as { text: string }).text)
      },
    })
    await expect.poll(() => agent.client.connections().map(({ isConnected }) => isConnected), LONG).toEqual([true, true, false])
    expect(agent.client.sites()).toEqual(expect.arrayContaining([platform.url, other.url]))
    const apis = [platform, other].map(({ url }) => createApi({ baseUrl: url }))
    for (const api of apis) await expect.poll(async () => (await api.workspacePlace(provider)).keys?.text, LONG).toBe(id)
    for (const api of apis)
      await expect
        .poll(
          () =>
            api.order(String(orderId)).then(
              ({ id: found }) => found,
              () => undefined,
            ),
          LONG,
        )
        .toBe(String(orderId))

    const api = createApi({ baseUrl: [platform.url, other.url] })
    const first = await buyer.sign({ orderId, deployId: 2, provider })
    const sent = await api.deploy(first)
    agent.client.status({ ...deployment('Running', first.text), id: sent.id })
    for (const one of apis)
      await expect.poll(async () => (await one.orderDeployment(String(orderId))).phase, LONG).toBe('Running')
    await platform.kill()
    expect((await api.orderDeployment(String(orderId))).id).toBe(sent.id)
    expect((await api.deploy(first)).id).toBe(sent.id)
    const next = await buyer.sign({ orderId, deployId: 0, provider })
    expect((await api.deploy(next)).phase).toBe('Accepted')
    expect(asked).toEqual([platform.url, other.url])
    expect(agent.isConnected(1)).toBe(true)
    platform = await startPlatform(chain, folder, [], platform.port)
    await expect.poll(() => agent.isConnected(), LONG).toBe(true)
    await expect.poll(async () => (await (apis[0] as typeof api).workspacePlace(provider)).url, LONG).not.toBeNull()
  })

  it('authenticates only after the hello, however long hardware detection takes', async () => {
    let asked = 0
    const machine = async () => {
      asked += 1
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { cores: 2, memoryGb: 4, diskGb: 40, gpus: 0 }
    }
    const { client, said, isConnected } = connect(platform.url, { machine })
    client.status({} as never)
    await expect.poll(() => isConnected(), LONG).toBe(true)
    expect(asked).toBeGreaterThan(0)
    expect(said.join()).not.toContain('refused')
    client.stop()
  })

  it('renews its keys during a connection that outlives them', async () => {
    let told = 0
    const announcedKeys = async () => {
      told += 1
      return { text: `keys ${told}`, signature: `0x${'00'.repeat(65)}` }
    }
    const { client } = connect(platform.url, { announcedKeys, announceMs: 50 })
    const place = `${platform.url}/v1/cp/${market.provider}/workspace`
    const kept = async () => ((await (await fetch(place)).json()) as WorkspacePlace).keys?.text
    await expect.poll(kept).toMatch(/^keys ([3-9]|\d\d)/)
    client.stop()
  })

  it('announces what it takes on connecting, and again when that changes', async () => {
    const machine = { cores: 2, memoryGb: 4, diskGb: 40, gpus: 0 }
    const takes = { ownImages: null, ports: false, ssh: false, protected: false, runtimes: ['runc' as const] }
    const ready: string[][] = [[], ['nginx']]
    const { client } = connect(platform.url, {
      announcedKeys: async () => ({ text: 'keys', signature: `0x${'00'.repeat(65)}` }),
      machine: async () => ({ ...machine, takes: { ...takes, ready: ready.shift() ?? ['nginx'] } }),
    })
    const asked = async () => (await (await fetch(`${platform.url}/v1/cp/${market.provider}`)).json()) as ProviderWire
    // A platform tells of a machine that changes once a minute.
    await expect.poll(async () => (await asked()).takes?.ready, { timeout: 120_000 }).toEqual(['nginx'])
    client.stop()
  })
})

it('pauses between heartbeats, however large an interval the platform requests', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  let messages = 0
  server.on('connection', (socket) => {
    socket.on('message', () => {
      messages += 1
    })
    socket.send(JSON.stringify({ type: 'welcome', heartbeatSeconds: 3_000_000, origins: [] }))
  })
  const client = createRelayClient({
    ...{ platformUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, chainId: 1, provider: '0x', version: 'test' },
    machine: async () => ({ cores: 2, memoryGb: 4, diskGb: 40, gpus: 0 }),
    account: privateKeyToAccount(generatePrivateKey()),
    onDeploy: () => Promise.reject(new Error('nothing is deployed here')),
    liveDeployments: () => [],
    announcedKeys: async () => ({ text: '', signature: '0x' }),

    onDuplicate: () => {},
    log: sayingLog(() => {}),
  })
  client.start()
  onTestFinished(() => {
    client.stop()
    server.close()
  })
  await expect.poll(() => messages).toBeGreaterThan(1)
  const before = messages
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(messages - before).toBeLessThan(3)
})
