import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { addNodeCall, contractCall, createApi, getBalances, pledgeCall, registerCall } from '@rackfair/sdk'
import { createTestClient, type HDAccount, http, type LocalAccount, parseEther, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { agentConfig } from '../../config/agentConfig.ts'
import { createRelayClient, type RelayClient } from '../../doors/relay/createRelayClient.ts'
import { sayingLog } from '../../foundation/log.ts'
import { newInstance } from '../../runtime/engine/names.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { startPlatform } from '../../testing/startPlatform.ts'
import { payout } from '../payout.ts'
import { followPrices } from './followPrices.ts'

const HOUR_MS = 3_600_000

describe('scheduled tasks of a provider, with a real chain and platform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-rules-'))
  const before = process.env.RACKFAIR_PROVIDER_KEY
  const cold = privateKeyToAccount(generatePrivateKey()).address
  let market: Awaited<ReturnType<typeof setupVerify>>
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let said: string[] = []
  const lines: RelayClient[] = []
  let result: { done: { title: string }[]; open: { title: string }[]; planned?: string[]; reason?: string }

  beforeAll(async () => {
    market = await setupVerify(2)
    platform = await startPlatform(market.chain, folder)
    for (const [index, usd] of ['0.7', '0.8', '2'].entries()) await offerRival(`rival${index}`, usd)
  })
  afterEach(() => {
    if (before === undefined) delete process.env.RACKFAIR_PROVIDER_KEY
    else process.env.RACKFAIR_PROVIDER_KEY = before
  })
  afterAll(async () => {
    for (const line of lines) line.stop()
    await platform?.stop()
    await market?.close()
    rmSync(folder, { recursive: true })
  })

  const chainClient = () => createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })

  /** Another provider with a node like ours and a connected agent. */
  const offerRival = async (name: string, usd: string) => {
    const { buyer } = market
    const { addresses } = buyer
    const account = privateKeyToAccount(generatePrivateKey())
    await chainClient().setBalance({ address: account.address, value: parseEther('1') })
    await buyer.fund(account.address, 10n * ONE_CREDIT_WEI)
    const send = (call: ReturnType<typeof contractCall>) => buyer.send(account as LocalAccount, call)
    await send(registerCall(addresses, { name, ip: '203.0.113.9', domain: '', port: 7070 }))
    await send(contractCall(addresses, 'credit', 'approve', [addresses.pledge, ONE_CREDIT_WEI]))
    await send(pledgeCall(addresses, ONE_CREDIT_WEI))
    const node = { cpuModel: 'x', gpuModel: '', nCPU: 1, core: 1, nGPU: 0, nMEM: 2, nDISK: 20 }
    const prices = { pCPU: parseEther(usd), pGPU: 0n, pMEM: 0n, pDISK: 0n }
    await send(addNodeCall(addresses, { ...node, ...prices }))
    const line = createRelayClient({
      ...{ platformUrl: platform.url, chainId: market.chain.chainId, provider: account.address, account, version: '1.0.0' },
      machine: async () => ({ cores: 1, memoryGb: 2, diskGb: 20, gpus: 0 }),
      onDeploy: () => Promise.reject(new Error('not here')),
      announcedKeys: async () => ({ text: '', signature: `0x${'0'.repeat(130)}` }),
      liveDeployments: () => [],
      onDuplicate: () => {},
      log: sayingLog(() => {}),
    })
    lines.push(line)
    line.start()
    const api = createApi({ baseUrl: platform.url })
    // Wait for its node, not just for the provider: a provider is online as soon as it is registered, which may be indexed before its node.
    const listed = async () => (await api.nodes({ cpu: 'x', online: true })).items.map(({ cp }) => cp.toLowerCase())
    await vi.waitFor(async () => expect(await listed()).toContain(account.address.toLowerCase()), {
      timeout: 30_000,
      interval: 100,
    })
  }

  const config = (change: object) => {
    const { rpcUrl, chainId, deployment } = market.chain
    return agentConfig.parse({
      ...{
        instance: newInstance(),
        chainId,
        rpcUrl,
        access: deployment.access,
        provider: market.provider,
        platforms: [platform.url],
      },
      ...{ operatorKeyFile: join(folder, 'key'), gateway: { host: '127.0.0.1', port: 7070, publicHost: '127.0.0.1' } },
      ...change,
    })
  }
  const output = {
    say: (line: string) => void said.push(line),
    result: (value: unknown) => {
      result = value as typeof result
    },
    ask: async () => undefined,
    confirm: async () => true,
  }
  const withKey = () => {
    const { provider } = market.chain.accounts
    process.env.RACKFAIR_PROVIDER_KEY = toHex((provider as HDAccount).getHdKey().privateKey as Uint8Array)
  }
  const prices = async () => (await market.context.chain.nodes()).toSorted((a, b) => Number(a.id - b.id)).map(({ pCPU }) => pCPU)
  const rules = { maxStepPercent: 20, rules: [{ part: 'cpu', percent: -5, min: '0.5', max: '5' }] }
  const follow = async (more: { dryRun?: boolean; hours?: number; priceRules?: object } = {}) => {
    said = []
    const now = () => Date.now() + (more.hours ?? 0) * HOUR_MS
    await followPrices(config({ priceRules: more.priceRules ?? rules }), folder, { dryRun: more.dryRun ?? false, now }, output)
    return result.planned ?? []
  }

  it('reprices an unsold node by its rule, one step a day, logs each change, and leaves a sold one alone', async () => {
    const order = await market.buyer.buy(market.provider, 1n)
    const sentence = 'node 2: cpu x from 1 to 0.8 USD (median of 3 others 0.8)'
    expect(await follow({ dryRun: true })).toEqual([sentence])
    expect(said).toContain(`node 1: held by order ${order}, keeps its price`)
    expect(await follow()).toEqual([sentence])
    expect(result.open).toHaveLength(1)
    expect(await prices()).toEqual([parseEther('1'), parseEther('1')])

    withKey()
    await follow()
    expect(await prices()).toEqual([parseEther('1'), parseEther('0.8')])
    const [entry] = readFileSync(join(folder, 'price-changes.jsonl'), 'utf8').trim().split('\n')
    expect(JSON.parse(entry as string)).toMatchObject({
      ...{ node: '2', time: expect.stringMatching(/^20\d\d-/) },
      changes: [{ part: 'cpu', model: 'x', fromUsd: '1', toUsd: '0.8', medianUsd: '0.8', others: 3 }],
    })
    expect(await follow()).toEqual([])
    expect(said).toContain('node 2: changed less than 24 h ago')
    withKey()
    expect(await follow({ hours: 25 })).toEqual(['node 2: cpu x from 0.8 to 0.76 USD (median of 3 others 0.8)'])
    expect(await follow({ hours: 60 })).toEqual([])
    expect(await prices()).toEqual([parseEther('1'), parseEther('0.76')])
  })

  it('changes nothing without rules, nor while the platform does not respond', async () => {
    await expect(followPrices(config({}), folder, { dryRun: false }, output)).rejects.toThrow('has no priceRules')
    const away = config({ priceRules: rules, platforms: ['http://127.0.0.1:1'] })
    await expect(
      followPrices(away, folder, { dryRun: false, now: () => Date.now() + 100 * HOUR_MS }, output),
    ).rejects.toMatchObject({
      code: 'platform_unreachable',
    })
  })

  it('settles and pays out to the cold address above the threshold, then waits for the next interval', async () => {
    const { buyer, chain } = market
    const { addresses } = buyer
    const order = await buyer.buy(market.provider, 2n)
    await buyer.send(chain.accounts.provider, contractCall(addresses, 'market', 'activate', [order]))
    const rule = (above: string) => config({ payout: { to: cold, above, everyHours: 24 } })
    const pay = (above: string, { dryRun = false, hours = 0 } = {}) =>
      payout(rule(above), folder, { dryRun, now: () => Date.now() + hours * HOUR_MS }, output)
    const coldWei = async () => (await getBalances(buyer.client, addresses, cold)).creditWei
    await pay('0.2')
    expect(result.reason).toMatch(/a payout begins at 0.2$/)
    await chainClient().increaseTime({ seconds: 10 * 86_400 })
    await chainClient().mine({ blocks: 1 })
    await pay('1000')
    expect(result.reason).toMatch(/begins at 1000$/)
    await pay('0.2', { dryRun: true })
    expect(result.reason).toBe('a dry run')
    await pay('0.2')
    expect(result.open).toMatchObject([{ title: `settle order ${order}` }])
    expect(await coldWei()).toBe(0n)

    withKey()
    await pay('0.2')
    const paid = await coldWei()
    expect(paid).toBeGreaterThan(parseEther('0.2'))
    expect(result.done.map(({ title }) => title)).toEqual([
      `settle order ${order}`,
      expect.stringMatching(`to ${cold.toLowerCase()}$`),
    ])
    await pay('0.2')
    expect(result.reason).toMatch(/^the next payout is not before 20/)
    await chainClient().increaseTime({ seconds: 10 * 86_400 })
    await chainClient().mine({ blocks: 1 })
    await pay('0.2', { hours: 25 })
    expect(await coldWei()).toBeGreaterThan(paid)
    await expect(payout(config({}), folder, { dryRun: false }, output)).rejects.toThrow('has no payout')
    expect(() => config({ payout: { to: `0x${'0'.repeat(40)}`, above: '1' } })).toThrow(/nobody holds/)
  })
})
