import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { getOrder } from '@rackfair/sdk'
import { isAddressEqual } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { disputeAsAgent } from './testing/disputeAsAgent.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

/** Late in a period, so that the reports of the previous one are done. */
const FIRST_EPOCH = 76
const EPOCHS = 18
/** Five are drawn; four others are a third of all, seven are more than half. */
const MONITORS = 12

let world: MonitoredAgents
let agent: SimulatedAgent
beforeAll(async () => {
  world = await setupMonitoredAgents({ monitors: MONITORS })
  agent = world.agents[0] as SimulatedAgent
})
afterAll(() => world?.stop())

it('lets the agent void an outage that three of five drawn monitors invent, by the observations of the others', async () => {
  const { period, orderId, drawn } = await firstPeriod()
  await live(period, (monitor) => drawn.slice(0, 3).some((liar) => isAddressEqual(liar, monitor.address)))
  const finding = await findingOf(orderId, period)
  expect(countOf(finding.down)).toBe(EPOCHS)

  // The liars did not probe, so no acknowledgement contradicts them. Two honest monitors were drawn, seven were not.
  const words = agent.side.evidence.ofOrder(orderId, 0, Number.MAX_SAFE_INTEGER)
  expect(new Set(words.map(({ monitor }) => monitor)).size).toBeGreaterThanOrEqual(2 + 5)
  await disputeAsAgent(world, agent)
  expect(await findingOf(orderId, period)).toMatchObject({ down: 0n, contested: finding.down })
  await report(period, 'finish')
  expect((await getOrder(world.market.client, world.market.addresses, orderId)).down).toBe(0)
  for (const liar of drawn.slice(0, 3)) expect((await monitorOf(liar)).bond).toBeGreaterThan(0n)
})

it('upholds a true outage that a third of all monitors contest', async () => {
  const { period, orderId, drawn } = await firstPeriod()
  const { monitors } = world
  const friends = monitors.filter(({ address }) => !drawn.some((one) => isAddressEqual(one, address))).slice(0, MONITORS / 3)
  await agent.side.close()
  await live(
    period,
    (monitor) => friends.includes(monitor),
    // They also sign what they claim to have seen, so that nothing contradicts them.
    true,
  )
  await agent.side.open()
  const { down } = await findingOf(orderId, period)
  expect(countOf(down)).toBe(EPOCHS)
  await disputeAsAgent(world, agent)
  expect(await findingOf(orderId, period)).toMatchObject({ down, contested: 0n })
  await report(period, 'finish')
  const seconds = EPOCHS * PRODUCTION_PACE.epochSeconds
  expect((await getOrder(world.market.client, world.market.addresses, orderId)).down).toBe(seconds)
})

it('finds an outage of which three of five drawn monitors say nothing, by the reports of most of all', async () => {
  const { period, orderId, drawn } = await firstPeriod()
  const { client, addresses } = world.market
  const before = (await getOrder(client, addresses, orderId)).down
  await agent.side.close()
  await live(period, (monitor) => drawn.slice(0, 3).some((one) => isAddressEqual(one, monitor.address)), true)
  await agent.side.open()
  expect(await findingOf(orderId, period)).toMatchObject({ down: ofEpochs, contested: 0n, candidates: MONITORS })
  await report(period, 'finish')
  const seconds = EPOCHS * PRODUCTION_PACE.epochSeconds
  expect((await getOrder(client, addresses, orderId)).down).toBe(before + seconds)
})

/** All epochs in which they observe. */
const ofEpochs = ((1n << BigInt(EPOCHS)) - 1n) << BigInt(FIRST_EPOCH)
const countOf = (bits: bigint) => bits.toString(2).replaceAll('0', '').length

async function firstPeriod() {
  const { client, contract } = world.market
  const [orderId = 0n] = agent.orderIds
  const period = await world.nextPeriod()
  const args = [agent.provider.address, 1n, BigInt(period)] as const
  const drawn = await client.readContract({ address: contract, abi: monitorsAbi, functionName: 'assigned', args })
  return { period, orderId, drawn }
}

/** All monitors observe except the liars, which record the opposite without probing. Then all report and submit. */
async function live(
  period: number,
  lies: (monitor: MonitoredAgents['monitors'][number]) => boolean,
  isUp = false,
): Promise<void> {
  const { calendar, addresses } = world.market
  const [orderId = 0n] = agent.orderIds
  for (let epoch = FIRST_EPOCH; epoch < FIRST_EPOCH + EPOCHS; epoch += 1) {
    await world.at(calendar.startOf(period) + epoch * calendar.epochSeconds + 10)
    for (const monitor of world.monitors) {
      if (!lies(monitor)) await monitor.observe()
      else
        monitor.observations.put({
          ...{ epoch: calendar.firstEpoch(period) + epoch, provider: lowerCaseAddress(agent.provider.address), nodeId: 1n },
          ...{ market: lowerCaseAddress(addresses.market), orderId, isUp, attestation: undefined },
        })
    }
  }
  await report(period, 'commit')
  await report(period, 'reveal')
  await report(period, 'submit')
}

async function report(period: number, what: 'commit' | 'reveal' | 'submit' | 'finish'): Promise<void> {
  const { calendar } = world.market
  const { windowSeconds, challengeSeconds } = calendar
  const after = { commit: 200, reveal: windowSeconds + 10, submit: 2 * windowSeconds + 10 }
  const seconds = what === 'finish' ? after.submit + challengeSeconds + 600 : after[what]
  await world.at(calendar.endOf(period) + seconds)
  for (const monitor of world.monitors) await monitor.report()
}

const findingOf = (orderId: bigint, period: number) => {
  const { client, findings, addresses } = world.market
  const args = [addresses.market, orderId, BigInt(period)] as const
  return client.readContract({ address: findings, abi: findingsAbi, functionName: 'findingOf', args })
}

const monitorOf = (account: `0x${string}`) =>
  world.market.client.readContract({
    ...{ address: world.market.contract, abi: monitorsAbi, functionName: 'monitorOf', args: [account] },
  })
