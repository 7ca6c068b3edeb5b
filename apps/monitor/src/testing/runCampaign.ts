import { spawnSync } from 'node:child_process'
import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { contractCall, getOrder } from '@rackfair/sdk'
import { decodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { createRandom } from './createRandom.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './setupMonitoredAgents.ts'

/** First observed epoch of a period, late enough that the reports of the previous period are done by then. */
const FIRST_EPOCH = 76
/** Seconds into an epoch at which it is probed. */
const PROBED_AT = 10
const PAY_POOL_WEI = 1_000n * ONE_CREDIT_WEI

/** What fails, and for whom: all orders of a provider, or each individually. */
export const OUTAGES = ['process', 'network', 'machine', 'application', 'wrong order', 'wrong key'] as const
export type OutageKind = (typeof OUTAGES)[number]
const OF_PROVIDER: readonly OutageKind[] = ['process', 'network', 'machine', 'wrong key']
/** What dishonest monitors do for a period. */
const LIES = ['silent', 'all down', 'all up', 'random'] as const
export type Lie = (typeof LIES)[number]

/** What happened to one order in one period. Times are unix seconds. */
export interface Outage {
  kind: OutageKind
  orderId: bigint
  from: number
  until: number
  /** Total refund of the order up to this period. */
  refundedSeconds: number
  /** When the refund was final. */
  finalAt: number
}

export interface CampaignOptions {
  seed: number
  periods: number
  providers: number
  orders: number
  /** Observed epochs of a period, at most 18. */
  epochs: number
  monitors: number
  /** Dishonest monitors in each period. */
  liars: number
  /** Whether this process may drop packets with nft: it runs in a network namespace of its own. */
  mayCut: boolean
}

/** Simulates outages of many kinds on a real chain, with monitors some of which lie or are silent, and returns the outcome of each. */
export async function runCampaign(options: CampaignOptions) {
  const random = createRandom(options.seed)
  const schedule = { answerMs: 4_000, providerMs: 20_000 }
  const world = await setupMonitoredAgents({ ...options, schedule })
  const { client, addresses, calendar, contract, owner } = world.market
  const outages: Outage[] = []
  const lies: Lie[][] = []
  let wrongDebits = 0
  const firstBlock = await client.getBlockNumber()
  const downOf = async (orderId: bigint) => (await getOrder(client, addresses, orderId)).down
  try {
    // As with commission: each reveal is paid.
    await world.market.call(owner, contractCall(addresses, 'credit', 'mint', [contract, PAY_POOL_WEI]))
    const first = await world.nextPeriod()
    // They report of the period before, as always, which draws those of the second one.
    for (let second = 200; second < 210; second += 1) {
      await world.at(calendar.startOf(first) + second)
      for (const monitor of world.monitors) await monitor.report()
    }
    for (let period = first; period < first + options.periods; period += 1) {
      const before = new Map<bigint, number>()
      for (const { orderIds } of world.agents) for (const id of orderIds) before.set(id, await downOf(id))
      const liars = pickLiars(random, options)
      lies.push(liars.filter((one) => one !== undefined))
      const planned = world.agents.map((agent) => planOutages(random, agent, calendar.startOf(period), options))

      for (let epoch = FIRST_EPOCH; epoch < FIRST_EPOCH + options.epochs; epoch += 1) {
        const time = calendar.startOf(period) + epoch * calendar.epochSeconds + PROBED_AT
        await world.at(time)
        for (const [index, agent] of world.agents.entries()) await enact(world, agent, planned[index] ?? [], time, options.mayCut)
        await Promise.all(
          world.monitors.map(async (monitor, index) => {
            const lie = liars[index]
            if (lie === undefined) await monitor.observe()
            else if (lie !== 'silent') fabricate(world, monitor, lie, calendar.firstEpoch(period) + epoch, random)
          }),
        )
      }
      for (const agent of world.agents) await enact(world, agent, [], Number.MAX_SAFE_INTEGER, options.mayCut)
      const finalAt = await report(world, liars, period)

      for (const outage of planned.flat()) outages.push({ ...outage, refundedSeconds: 0, finalAt })
      for (const [orderId, was] of before) {
        const refundedSeconds = (await downOf(orderId)) - was
        const outage = outages.findLast((one) => one.orderId === orderId && one.finalAt === finalAt)
        if (outage) outage.refundedSeconds = refundedSeconds
        else if (refundedSeconds > 0) wrongDebits += 1
      }
    }
    return { outages, lies, wrongDebits, gas: await gasOf(world, firstBlock) }
  } finally {
    for (const { port } of world.agents) uncut(port)
    await world.stop()
  }
}

function pickLiars(random: () => number, { monitors, liars }: CampaignOptions): (Lie | undefined)[] {
  const picked = Array.from({ length: monitors }, (): Lie | undefined => undefined)
  for (let count = 0; count < liars; count += 1)
    picked[Math.floor(random() * monitors)] = LIES[Math.floor(random() * LIES.length)]
  return picked
}

type Planned = Omit<Outage, 'refundedSeconds' | 'finalAt'>

/** One kind for a provider and a period. If orders fail individually, one of them is left alone. */
function planOutages(random: () => number, agent: SimulatedAgent, start: number, { epochs }: CampaignOptions): Planned[] {
  const kind = OUTAGES[Math.floor(random() * OUTAGES.length)] as OutageKind
  const length = epochs * 300
  const draw = () => {
    const seconds = 30 + Math.floor(random() * (length - 60))
    const from = start + FIRST_EPOCH * 300 + Math.floor(random() * (length - seconds))
    return { from, until: from + seconds }
  }
  if (OF_PROVIDER.includes(kind)) {
    const time = draw()
    return agent.orderIds.map((orderId) => ({ kind, orderId, ...time }))
  }
  return agent.orderIds.slice(1).map((orderId) => ({ kind, orderId, ...draw() }))
}

/** Brings an agent into its planned state at a time. */
async function enact(world: MonitoredAgents, agent: SimulatedAgent, planned: readonly Planned[], time: number, mayCut: boolean) {
  const present = planned.filter(({ from, until }) => from <= time && time < until)
  const kinds = new Set(present.map(({ kind }) => kind))
  for (const [index, orderId] of agent.orderIds.entries()) {
    const kind = present.find((one) => one.orderId === orderId)?.kind
    agent.nodes[index] = {
      market: world.market.addresses.market,
      orderId: kind === 'wrong order' ? orderId + 1000n : orderId,
      healthy: kind !== 'application',
      runs: undefined,
    }
  }
  const signer = kinds.has('wrong key') ? world.market.stranger : agent.operator
  if (kinds.has('network') && mayCut) cut(agent.port, time)
  else uncut(agent.port)
  const isGone = kinds.has('process') || kinds.has('machine') || (kinds.has('network') && !mayCut)
  if (isGone || signer !== agent.signer) await agent.side.close()
  if (kinds.has('machine')) agent.side.forget()
  agent.signer = signer
  if (!isGone) await agent.side.open()
}

const cuts = new Set<number>()

/** One in four is dropped silently, which costs the test the time of three attempts; the others are rejected. */
function cut(port: number, time: number): void {
  if (cuts.has(port)) return
  cuts.add(port)
  const how = Math.floor(time / 300) % 4 === 0 ? 'drop' : 'reject'
  nft(`table inet cut${port} { chain in { type filter hook input priority 0; tcp dport ${port} ${how}; }; }`)
}

function uncut(port: number): void {
  if (cuts.delete(port)) nft(`delete table inet cut${port}`)
}

function nft(text: string): void {
  const { status, stderr } = spawnSync('nft', ['-f', '-'], { input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(`nft: ${stderr}`)
}

function fabricate(
  world: MonitoredAgents,
  monitor: MonitoredAgents['monitors'][number],
  lie: Lie,
  epoch: number,
  random: () => number,
) {
  for (const { provider, orderIds } of world.agents)
    for (const [index, orderId] of orderIds.entries())
      monitor.observations.put({
        ...{ epoch, provider: lowerCaseAddress(provider.address), nodeId: BigInt(index + 1), orderId },
        market: lowerCaseAddress(world.market.addresses.market),
        isUp: lie === 'all up' || (lie === 'random' && random() < 0.5),
        attestation: undefined,
      })
}

/** Commits, reveals, submits and credits when due. Returns when the credits were sent. */
async function report(world: MonitoredAgents, liars: readonly (Lie | undefined)[], period: number): Promise<number> {
  const { calendar } = world.market
  const end = calendar.endOf(period)
  const { windowSeconds, challengeSeconds } = calendar
  const finalAt = end + 2 * windowSeconds + challengeSeconds + 600
  for (const time of [end + 200, end + windowSeconds + 10, end + 2 * windowSeconds + 10, finalAt]) {
    await world.at(time)
    for (const [index, monitor] of world.monitors.entries()) if (liars[index] !== 'silent') await monitor.report()
  }
  return finalAt
}

/** Gas of the monitors' calls, by name. */
async function gasOf(world: MonitoredAgents, firstBlock: bigint): Promise<Map<string, { calls: number; gas: bigint }>> {
  const { client, contract, findings } = world.market
  const gas = new Map<string, { calls: number; gas: bigint }>()
  for (let number = firstBlock + 1n; number <= (await client.getBlockNumber()); number += 1n) {
    const { transactions } = await client.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { hash, to, input } of transactions) {
      if (!to || !(isAddressEqual(to, contract) || isAddressEqual(to, findings))) continue
      const { functionName } = decodeFunctionData({ abi: [...monitorsAbi, ...findingsAbi], data: input as Hex })
      const { gasUsed } = await client.getTransactionReceipt({ hash })
      const known = gas.get(functionName) ?? { calls: 0, gas: 0n }
      gas.set(functionName, { calls: known.calls + 1, gas: known.gas + gasUsed })
    }
  }
  return gas
}
