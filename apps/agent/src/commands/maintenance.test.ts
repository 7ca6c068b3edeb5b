import { findingsAbi } from '@rackfair/contracts'
import { type MonitoredMarket, startMonitoredMarket } from '@rackfair/testkit'
import { bytesToHex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AgentConfig } from '../config/agentConfig.ts'
import { maintenance } from './maintenance.ts'

const DAY = 86_400

describe('rackfair-agent maintenance', () => {
  let market: MonitoredMarket
  let config: AgentConfig
  const results: unknown[] = []
  const output = {
    say: () => {},
    result: (value: unknown) => void results.push(value),
    ask: async () => undefined,
    confirm: async () => true,
  }

  beforeAll(async () => {
    market = await startMonitoredMarket({ monitors: 0, orders: 2 })
    const { chain, rpcUrl, provider } = market
    const { access } = chain.deployment
    config = { rpcUrl, chainId: 2985, access, provider: provider.address } as AgentConfig
    vi.stubEnv('RACKFAIR_PROVIDER_KEY', bytesToHex((provider as HDAccount).getHdKey().privateKey ?? new Uint8Array()))
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await market?.stop()
  })

  /** A whole hour two days ahead, in the middle of a month of 30 days. */
  const ahead = async () => {
    const now = Number((await market.client.getBlock()).timestamp)
    const month = 30 * DAY
    const from = Math.ceil((now + 2 * DAY) / 3600) * 3600
    return from % month > month - DAY ? from + 2 * DAY : from
  }
  const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString()
  const announcedOf = async (nodeId: bigint, period: number) =>
    market.client.readContract({
      ...{ address: market.findings, abi: findingsAbi, functionName: 'maintenanceIn' },
      args: [market.provider.address, nodeId, BigInt(period)],
    })
  const run = (flags: Partial<Parameters<typeof maintenance>[1]>) =>
    maintenance(config, { nodes: [], withdraw: false, ...flags }, output)

  it('announces for all nodes, and withdraws for one of them', async () => {
    const from = await ahead()
    const times = { from: isoOf(from), until: isoOf(from + 7200) }
    const period = market.calendar.periodAt(from)
    await run(times)
    const announced = await announcedOf(1n, period)
    expect(announced).not.toBe(0n)
    expect(await announcedOf(2n, period)).toBe(announced)
    await run({ ...times, nodes: ['2'], withdraw: true })
    expect([await announcedOf(1n, period), await announcedOf(2n, period)]).toEqual([announced, 0n])
    expect(results).toHaveLength(2)
  })

  it('refuses an unknown node, an invalid time and too short a notice, and sends nothing', async () => {
    const from = await ahead()
    const sent = await market.client.getTransactionCount({ address: market.provider.address })
    await expect(run({ nodes: ['1', '9'], from: isoOf(from), until: isoOf(from + 60) })).rejects.toThrow(
      'there is no node 9; nothing was sent',
    )
    await expect(run({ from: 'tomorrow', until: isoOf(from) })).rejects.toThrow('--from is a time such as 2030-01-31T02:00Z')
    await expect(run({ from: isoOf(from - 2 * DAY), until: isoOf(from) })).rejects.toThrow('nothing was sent')
    expect(await market.client.getTransactionCount({ address: market.provider.address })).toBe(sent)
  })
})
