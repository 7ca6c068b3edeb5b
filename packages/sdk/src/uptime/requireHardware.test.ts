import type { HardwareAnswer, HardwareResultWire } from '@rackfair/hardware/record'
import type { Verification } from '@rackfair/hardware/verification'
import { type MonitoredMarket, startMonitoredMarket } from '@rackfair/testkit'
import { createClient, createWalletClient, http } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from '../http/createApi.ts'
import type { Renter } from '../market/connectMarket.ts'
import { buyOrder } from '../order/buyOrder.ts'
import { cancelOrder } from '../order/cancelOrder.ts'
import { runJob } from '../workspace/runJob.ts'
import { hardwareResultData } from './hardware.ts'
import { readVerification, requireHardware } from './requireHardware.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

let market: MonitoredMarket
let results: HardwareResultWire[] = []
let now = 0
beforeAll(async () => {
  market = await startMonitoredMarket({ monitors: 3 })
  const { calendar } = market
  const { timestamp } = await market.client.getBlock()
  // Monitors that have just joined are drawn from the next period on.
  now = calendar.startOf(calendar.periodAt(Number(timestamp)) + 1) + HOUR
  await market.at(now)
})
afterAll(() => market?.stop())
beforeEach(() => {
  results = []
})

test('verifies by two of three signed results, whatever else the platform sends', async () => {
  const { reader, machine } = setup()
  const one = await sign(0)
  results = [one]
  expect(await readVerification(reader, machine, now)).toBeUndefined()
  // A duplicate, another monitor's name, changed data, another provider, another node, another revision, a wrong time: none counts as a second result.
  const second = await sign(1)
  results = [
    ...[one, { ...one, monitor: one.monitor.toUpperCase().replace('0X', '0x') }, { ...one, monitor: second.monitor }],
    ...[{ ...second, memoryBytes: 2 ** 40 }, await sign(1, { provider: market.user.address })],
    ...[await sign(1, { nodeId: '2' }), await sign(1, { rev: 2 })],
    ...[await sign(1, { time: now + DAY }), await sign(1, { time: now - 9 * DAY })],
  ]
  expect(await readVerification(reader, machine, now)).toBeUndefined()
  results = [one, second]
  expect(await readVerification(reader, machine, now)).toEqual({
    ...{ outcome: 'passed', hardwareClass: 2, agreed: 2, needed: 2, beacon: one.beacon, time: one.time },
  } satisfies Verification)
})

test('counts results up to the maximum age, and up to ten minutes in the future', async () => {
  const { reader, machine } = setup()
  results = [await sign(0), await sign(1)]
  expect(await readVerification(reader, machine, now, HOUR / 2)).toMatchObject({ agreed: 2 })
  expect(await readVerification(reader, machine, now, HOUR / 2 - 1)).toBeUndefined()
  const ahead = { time: now + 600 }
  results = [await sign(0, ahead), await sign(1, ahead)]
  expect(await readVerification(reader, machine, now)).toMatchObject({ agreed: 2 })
  expect(await readVerification(reader, machine, now - 1)).toBeUndefined()
})

test('checks at most 300 results', async () => {
  const { reader, machine } = setup()
  const [one, two, other] = [await sign(0), await sign(1), await sign(2, { rev: 2 })]
  results = [one, ...Array(298).fill(other), two]
  expect(await readVerification(reader, machine, now)).toMatchObject({ agreed: 2 })
  results = [one, ...Array(299).fill(other), two]
  expect(await readVerification(reader, machine, now)).toBeUndefined()
})

test('distinguishes a malformed response from an unreachable chain', async () => {
  const { reader, machine } = setup()
  const api = { nodeHardware: async () => ({ results: {} }) } as unknown as Api
  await expect(requireHardware({ ...reader, api }, machine, {})).rejects.toMatchObject({ code: 'answer_malformed' })
  const client = createClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
  await expect(requireHardware({ ...reader, client }, machine, {})).rejects.toMatchObject({ code: 'rpc_unreachable' })
})

test('refuses a machine below the class, beyond the age, or after a failed test', async () => {
  const { reader, machine } = setup()
  const refusal = { code: 'hardware_not_verified' }
  await expect(requireHardware(reader, machine, {})).rejects.toMatchObject(refusal)
  results = [await sign(0, { hardwareClass: 1 }), await sign(2, { hardwareClass: 1 })]
  await requireHardware(reader, machine, {})
  await requireHardware(reader, machine, { minClass: 1, maxAge: 2 * HOUR })
  await expect(requireHardware(reader, machine, { minClass: 2 })).rejects.toMatchObject(refusal)
  await expect(requireHardware(reader, machine, { maxAge: 60 })).rejects.toMatchObject(refusal)
  const later = { beacon: `0x${'bf'.repeat(32)}`, outcome: 'late', time: now - 60 } as const
  results.push(await sign(0, later), await sign(1, later))
  await expect(requireHardware(reader, machine, {})).rejects.toMatchObject(refusal)
})

test('pays nothing for a machine without the required verification', async () => {
  const { reader, payer, machine } = setup()
  await cancelOrder(payer, market.orderIds[0] as bigint)
  const purchase = { provider: machine.provider, nodeId: 1, months: 1 }
  const sent: string[] = []
  const options = { hardware: { minClass: 2 }, onSent: ({ hash }: { hash: string }) => sent.push(hash) }
  await expect(buyOrder({ ...payer, api: reader.api }, purchase, options)).rejects.toMatchObject({
    code: 'hardware_not_verified',
  })
  await expect(buyOrder(payer, purchase, options)).rejects.toMatchObject({ code: 'bad_request' })
  const job = { on: purchase, app: { preset: 'nginx' }, command: ['true'] } as const
  await expect(runJob({ ...payer, api: reader.api, platform: '' } as Renter, job, options)).rejects.toMatchObject({
    code: 'hardware_not_verified',
  })
  expect(sent).toEqual([])
  results = [await sign(0), await sign(1)]
  const { orderId } = await buyOrder({ ...payer, api: reader.api }, purchase, options)
  expect(orderId).toBeGreaterThan(market.orderIds[0] as bigint)
})

function setup() {
  const { client, addresses, user, provider, rpcUrl } = market
  const answer = async (): Promise<HardwareAnswer> => ({
    verification: null,
    results: results.map((one) => ({ ...one, counts: true })),
    block: 1,
  })
  const reader = { client, addresses, chainId: 2985, api: { nodeHardware: answer } as unknown as Api }
  const wallet = createWalletClient({ account: user, transport: http(rpcUrl) })
  return {
    reader,
    payer: { client, addresses, chainId: 2985, wallet },
    machine: { provider: provider.address, nodeId: 1, rev: 1 },
  }
}

async function sign(index: number, change: Partial<HardwareResultWire> = {}): Promise<HardwareResultWire> {
  const account = market.accounts[index] as MonitoredMarket['accounts'][number]
  const facts = {
    ...{ provider: market.provider.address, nodeId: '1', rev: 1, orderId: '0', beacon: `0x${'be'.repeat(32)}` },
    ...{ hardwareClass: 2, outcome: 'passed' as const, memoryBytes: 2 ** 34, diskBytes: 2 ** 31, cores: 8, gpus: 0 },
    ...{ makingMs: 4_000, limitMs: 60_000, memoryWalkMs: 200, diskWalkMs: 300, time: now - HOUR / 2 },
    ...change,
  }
  const signature = await account.signTypedData(hardwareResultData(2985, market.contract, facts))
  return { monitor: account.address, ...facts, signature }
}
