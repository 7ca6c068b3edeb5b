import { networkInterfaces } from 'node:os'
import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { expect, it } from 'vitest'
import { OUTAGES, type Outage, runCampaign } from './testing/runCampaign.ts'

const DEEP = process.env.RACKFAIR_DEEP === '1'
const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** The test runner provides a network namespace with this link: packets may be dropped in it. */
const mayCut = networkInterfaces().uplink !== undefined
/** Fewer for a part of the deep run, which then prints how many it completed. */
const PERIODS = Number(process.env.RACKFAIR_PERIODS ?? 66)
const SIZE = DEEP ? { periods: PERIODS, providers: 4, orders: 5, epochs: 8 } : { periods: 2, providers: 3, orders: 2, epochs: 5 }

it(`refunds exactly the downtime, whatever two of five monitors report (seed ${seed}${mayCut ? '' : ', without nft'})`, {
  timeout: DEEP ? 7_200_000 : 300_000,
}, async () => {
  const { outages, lies, wrongDebits, gas } = await runCampaign({ ...SIZE, seed, monitors: 5, liars: 2, mayCut })
  expect(outages.length).toBeGreaterThan(DEEP ? 15 * PERIODS : 4)
  const off = (one: Outage) => Math.abs(one.refundedSeconds - (one.until - one.from))
  expect(outages.filter((one) => off(one) > PRODUCTION_PACE.epochSeconds)).toEqual([])
  expect(wrongDebits).toBe(0)
  if (DEEP) console.info(table(outages, lies.flat(), gas))
})

function table(outages: readonly Outage[], lies: readonly string[], gas: Map<string, { calls: number; gas: bigint }>): string {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const rows = OUTAGES.map((kind) => {
    const some = outages.filter((one) => one.kind === kind)
    if (some.length === 0) return `${kind}: none`
    const off = some.map((one) => one.refundedSeconds - (one.until - one.from))
    return `${kind}: ${some.length} outages, refund minus truth ${Math.min(...off)} to ${Math.max(...off)} s`
  })
  const hours = median(outages.map((one) => one.finalAt - one.until)) / 3600
  const nodes = SIZE.providers * SIZE.orders
  const days = SIZE.periods / 3
  const sum = (names: string[]) => names.reduce((total, name) => total + Number(gas.get(name)?.gas ?? 0n), 0)
  return [
    `${outages.length} outages of ${nodes} orders in ${SIZE.periods} periods, seed ${seed}`,
    ...rows,
    `median from the end of an outage to its refund: ${hours.toFixed(1)} h`,
    `lies: ${[...new Set(lies)].map((lie) => `${lie} ${lies.filter((one) => one === lie).length}`).join(', ')}`,
    ...[...gas].map(([name, { calls, gas: used }]) => `${name}: ${calls} calls, ${used / BigInt(calls)} gas each`),
    `commit, reveal and earn, per day and node: ${Math.round(sum(['commit', 'reveal', 'earn']) / days / nodes)} gas (${nodes} nodes)`,
    `submit and credit, per outage: ${Math.round(sum(['submit', 'credit', 'finish']) / outages.length)} gas`,
  ].join('\n')
}
