import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { reportTree, writeReports } from '@rackfair/sdk/uptime'
import { freePort } from '@rackfair/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../store/openStore.ts'
import { createCollector } from './collectReports.ts'

const MONITOR = lowerCaseAddress(`0x${'a1'.repeat(20)}`)
const REPORTS = [{ market: lowerCaseAddress(`0x${'44'.repeat(20)}`), orderId: 7n, observed: 1n, down: 0n }]
const ROOT = reportTree(1000, REPORTS).root
const OTHER_ROOT = `0x${'cc'.repeat(32)}`
const JOINED = { bond: '1', joinedAt: 0, leftAt: 0, slashedAt: 0 }
const REVEALED = { committedAt: 0, revealedAt: 0, commitHash: '', revealHash: '' }

it('reads older reports in spite of two hundred periods that another monitor withholds', async () => {
  const { store, asked, collector } = await setup()
  const silent = lowerCaseAddress(`0x${'b2'.repeat(20)}`)
  const url = `http://127.0.0.1:${await freePort()}`
  await store.db
    .insertInto('monitor')
    .values({ address: silent, url, ...JOINED })
    .execute()
  const missing = Array.from({ length: 200 }, (_, index) => ({ monitor: silent, period: 1001 + index, root: OTHER_ROOT }))
  const rows = [{ monitor: MONITOR, period: 1000, root: ROOT }, ...missing]
  await store.db
    .insertInto('monitorReport')
    .values(rows.map((row) => ({ ...row, ...REVEALED })))
    .execute()
  const collect = collector(() => 0)
  for (let round = 0; round < 4; round += 1) await collect()
  expect(asked()).toBe(1)
})

it('asks once a day for reports whose root differs from the revealed one', async () => {
  const { store, asked, collector } = await setup()
  await store.db
    .insertInto('monitorReport')
    .values({ monitor: MONITOR, period: 1000, root: OTHER_ROOT, ...REVEALED })
    .execute()
  let hours = 0
  const collect = collector(() => hours * 3_600_000)
  for (hours = 0; hours < 25; hours += 1) await collect()
  expect(asked()).toBe(2)
})

it('reads a monitor while others never end their answers, and goes on with those that do not use up their time', async () => {
  const { store, asked, collector } = await setup({ laneMs: 1 })
  const silent = lowerCaseAddress(`0x${'b2'.repeat(20)}`)
  let stalled = 0
  let end = () => {}
  const stalling = createServer((_, response) => {
    stalled += 1
    response.write('{')
    end = () => response.destroy()
  })
  await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void stalling.close())
  const url = `http://127.0.0.1:${(stalling.address() as AddressInfo).port}`
  await store.db
    .insertInto('monitor')
    .values({ address: silent, url, ...JOINED })
    .execute()
  // They are newer, and so come first.
  const missing = Array.from({ length: 5 }, (_, index) => ({ monitor: silent, period: 1001 + index, root: OTHER_ROOT }))
  const rows = [...missing, { monitor: MONITOR, period: 1000, root: ROOT }]
  await store.db
    .insertInto('monitorReport')
    .values(rows.map((row) => ({ ...row, ...REVEALED })))
    .execute()
  const collect = collector(() => 0)
  const round = collect()
  await expect.poll(() => [asked(), stalled], { interval: 5 }).toEqual([1, 1])
  end()
  await round
  // Its time is used up: it waits, and delays no later round.
  await collect()
  expect([asked(), stalled]).toEqual([1, 1])
})

/** A store with a monitor that publishes these reports. */
async function setup(more: { laneMs?: number } = {}) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rackfair-reports-'))
  const store = await openStore({ dataFolder, databaseUrl: undefined })
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end(writeReports({ monitor: MONITOR, period: 1000, reports: REPORTS }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await store.close()
    rmSync(dataFolder, { recursive: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await store.db
    .insertInto('monitor')
    .values({ address: MONITOR, url, ...JOINED })
    .execute()
  const parts = { ...more, store, chainId: 2985, onNews: () => {}, onProblem: () => {} }
  return { store, asked: () => asked, collector: (clock: () => number) => createCollector({ ...parts, clock }) }
}
