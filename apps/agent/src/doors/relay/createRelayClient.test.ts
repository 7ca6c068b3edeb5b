import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderWire } from '@rackfair/protocol/providers'
import type { WorkspacePlace } from '@rackfair/protocol/workspace'
import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { sayingLog } from '../../foundation/log.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { startPlatform } from '../../testing/startPlatform.ts'
import { createRelayClient } from './createRelayClient.ts'

describe('the agent’s connection to a real platform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-relay-'))
  let market: Awaited<ReturnType<typeof setupVerify>>
  let platform: Awaited<ReturnType<typeof startPlatform>>
  beforeAll(async () => {
    market = await setupVerify(1)
    platform = await startPlatform(market.chain, folder)
  })
  afterAll(async () => {
    await platform?.stop()
    await market?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const connect = (platformUrl: string, more: Partial<Parameters<typeof createRelayClient>[0]> = {}) => {
    const { chain, provider } = market
    const said: string[] = []
    let duplicates = 0
    const client = createRelayClient({
      ...{ platformUrl, chainId: chain.chainId, provider, version: 'test' },
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
    return { client, said, duplicates: () => duplicates }
  }

  it('is refused for a second agent with the same key, which logs why and does not retry', async () => {
    const first = connect(platform.url)
    await expect.poll(first.client.isConnected).toBe(true)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const second = connect(platform.url)
    await expect.poll(second.duplicates).toBe(1)
    expect(second.said.join()).toContain('only one may run')
    expect(second.client.isConnected()).toBe(false)
    expect(first.client.isConnected()).toBe(true)
    expect(timers.mock.calls.filter(([work]) => work.name === 'connect')).toEqual([])
    timers.mockRestore()
    first.client.stop()
  })

  it('authenticates only after the hello, however long hardware detection takes', async () => {
    let asked = 0
    const machine = async () => {
      asked += 1
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { cores: 2, memoryGb: 4, diskGb: 40, gpus: 0 }
    }
    const { client, said } = connect(platform.url, { machine })
    client.status({} as never)
    await expect.poll(client.isConnected, { timeout: 60_000 }).toBe(true)
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
