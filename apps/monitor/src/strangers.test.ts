import { acknowledgementData, probeData } from '@rackfair/sdk/uptime'
import { freePort } from '@rackfair/testkit'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'
import { BURST, startFlood } from './testing/startFlood.ts'
import { startTlsProxy, whyNoTlsProxy } from './testing/startTlsProxy.ts'

/** Epochs that a stranger tries to spoil. */
const EPOCHS = 4

describe.each([
  ['from another address, through a TLS proxy', true, '127.0.0.2'],
  ['from the monitors’ own address, directly', false, '127.0.0.1'],
] as const)('a stranger that asks %s', (_where, tls, localAddress) => {
  const missing = tls ? whyNoTlsProxy : undefined
  let world: MonitoredAgents
  let agent: SimulatedAgent
  const stop: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    if (missing) return
    const behind = await freePort()
    // Twelve times as long is more than a busy processor takes to check the signatures of one burst.
    const schedule = { retryMs: 200 }
    world = await setupMonitoredAgents({ monitors: 3, schedule, ...(tls ? { behindTls: () => behind } : {}) })
    stop.unshift(() => world.stop())
    agent = world.agents[0] as SimulatedAgent
    if (!tls) return
    const proxy = await startTlsProxy(agent.port, behind)
    stop.unshift(() => proxy.stop())
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  /** What strangers send: bodies by path. */
  const FLOODS: [name: string, perSecond: number, bodies: () => Promise<[path: string, body: string][]>][] = [
    ['three empty objects a second', 3, async () => [['attestation', '{}']]],
    ['200 empty objects a second', 200, async () => [['attestation', '{}']]],
    [
      '200 empty objects a second, also instead of acknowledgements',
      200,
      async () => [
        ['acknowledgement', '{}'],
        ['attestation', ''],
      ],
    ],
    // No more than a busy processor checks: from the monitors’ own address they wait in the same queue.
    ['questions and acknowledgements in a monitor’s name', 5, forged],
    ['questions in its own name', 100, async () => [['attestation', JSON.stringify(await question(stranger()))]]],
  ]

  it.skipIf(missing).each(FLOODS)(
    `cannot make a provider down with %s (${missing ?? 'here'})`,
    async (_name, perSecond, bodies) => {
      const { calendar } = world.market
      const period = await world.nextPeriod()
      await world.at(calendar.startOf(period) + 10)
      const flood = startFlood({ port: agent.port, tls, localAddress, perSecond, bodies: await bodies() })
      try {
        for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
          await world.at(calendar.startOf(period) + epoch * calendar.epochSeconds + 10)
          await flood.reached(BURST)
          await Promise.all(world.monitors.map((one) => one.observe()))
        }
      } finally {
        await flood.stop()
      }
      for (const { observations } of world.monitors)
        expect(observations.reports(period)).toMatchObject([{ observed: (1n << BigInt(EPOCHS)) - 1n, down: 0n }])
      const kept = agent.side.evidence.ofOrder(
        agent.orderIds[0] ?? 0n,
        calendar.firstEpoch(period),
        calendar.firstEpoch(period) + EPOCHS,
      )
      expect(kept).toHaveLength(EPOCHS * world.monitors.length)
      // It is told that it asks too much.
      expect([...flood.statuses.keys()]).toContain(429)
      expect(flood.statuses.get(200) ?? 0).toBe(0)
    },
  )

  const stranger = () => privateKeyToAccount(generatePrivateKey())
  const epochNow = async () => world.market.calendar.epochAt(Number((await world.market.client.getBlock()).timestamp))

  async function question(signer: LocalAccount, monitor = signer.address) {
    const epoch = await epochNow()
    const data = probeData(2985, world.market.contract, { provider: agent.provider.address, epoch })
    const signature = await signer.signTypedData(data)
    return { monitor, epoch, beacon: `0x${'be'.repeat(32)}`, nodes: ['1'], signature }
  }

  /** Well-formed, and not signed by the bonded monitor that they name. */
  async function forged(): Promise<[string, string][]> {
    const { addresses, contract } = world.market
    const monitor = world.monitors[0]?.address as `0x${string}`
    const epoch = await epochNow()
    const facts = {
      market: addresses.market,
      orderId: agent.orderIds[0] ?? 0n,
      provider: agent.provider.address,
      nodeId: 1n,
      epoch,
    }
    const signature = await stranger().signTypedData(acknowledgementData(2985, contract, facts))
    const one = { nodeId: '1', orderId: String(facts.orderId), market: addresses.market.toLowerCase(), signature }
    return [
      ['attestation', JSON.stringify(await question(stranger(), monitor))],
      ['acknowledgement', JSON.stringify({ monitor, epoch, acknowledgements: Array(16).fill(one) })],
    ]
  }
})
