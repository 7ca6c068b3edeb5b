import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

describe('a provider that is busy', () => {
  let world: MonitoredAgents
  let agent: SimulatedAgent
  beforeAll(async () => {
    world = await setupMonitoredAgents({ monitors: 1 })
    agent = world.agents[0] as SimulatedAgent
  })
  afterAll(() => world?.stop())

  type Instead = NonNullable<SimulatedAgent['side']['insteadOfAnswer']>
  /** Busy whenever it is asked. */
  const busy: Instead = () => 503
  const well: Instead = () => undefined
  /** Busy this many times, on that path. */
  const busyFirst = (times: number, status: 429 | 503, on = 'attestation'): Instead => {
    let asked = 0
    return (path) => {
      if (!path.endsWith(on)) return undefined
      asked += 1
      return asked <= times ? status : undefined
    }
  }
  const busyThenGone = (): Instead => {
    const first = busyFirst(2, 503)
    return (path) => first(path) ?? 'cut'
  }

  const TABLE: [name: string, epochs: () => Instead[], observed: bigint, down: bigint][] = [
    ['is up as soon as it answers within the epoch', () => [busyFirst(5, 429), busyFirst(9, 503)], 0b11n, 0n],
    ['is neither up nor down where it was busy for an epoch', () => [well, busy, well, busy], 0b101n, 0n],
    ['is down from the second whole epoch on', () => [well, busy, busy, busy, well], 0b11101n, 0b01100n],
    ['is down where it does not answer at all in the end', () => [busyThenGone(), well], 0b11n, 0b1n],
    ['gets its acknowledgement, asked again', () => [busyFirst(2, 503, 'acknowledgement')], 0b1n, 0n],
  ]
  it.each(TABLE)('%s', async (_name, epochs, observed, down) => {
    const { calendar } = world.market
    const period = await world.nextPeriod()
    for (const [epoch, instead] of epochs().entries()) {
      agent.side.insteadOfAnswer = instead
      await world.at(calendar.startOf(period) + epoch * calendar.epochSeconds + 10)
      await world.monitors[0]?.observe()
    }
    agent.side.insteadOfAnswer = undefined
    expect(world.monitors[0]?.observations.reports(period)).toMatchObject([{ observed, down }])
    const first = calendar.firstEpoch(period)
    const kept = agent.side.evidence.ofOrder(agent.orderIds[0] ?? 0n, first, first + 95)
    expect(kept.reduce((bits, { epoch }) => bits | (1n << BigInt(epoch - first)), 0n)).toBe(observed & ~down)
  })
})
