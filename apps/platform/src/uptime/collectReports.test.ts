import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowerCaseAddress } from '@rackfair/core'
import { reportTree, writeReports } from '@rackfair/sdk/uptime'
import { freePort } from '@rackfair/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../store/openStore.ts'
import { createCollector } from './collectReports.ts'

it('reads what a monitor published before two hundred periods that another one keeps to itself', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rackfair-reports-'))
  const store = await openStore({ dataFolder, databaseUrl: undefined })
  const [honest, silent] = [lowerCaseAddress(`0x${'a1'.repeat(20)}`), lowerCaseAddress(`0x${'b2'.repeat(20)}`)]
  const reports = [{ market: lowerCaseAddress(`0x${'44'.repeat(20)}`), orderId: 7n, observed: 1n, down: 0n }]
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end(writeReports({ monitor: honest, period: 1000, reports }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.close()
    await store.close()
    rmSync(dataFolder, { recursive: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const joined = { bond: '1', joinedAt: 0, leftAt: 0, slashedAt: 0 }
  await store.db
    .insertInto('monitor')
    .values([
      { address: honest, url, ...joined },
      { address: silent, url: `http://127.0.0.1:${await freePort()}`, ...joined },
    ])
    .execute()
  const revealed = { committedAt: 0, revealedAt: 0, commitHash: '', revealHash: '' }
  const root = `0x${'cc'.repeat(32)}`
  const unpublished = Array.from({ length: 200 }, (_, index) => ({ monitor: silent, period: 1001 + index, root, ...revealed }))
  await store.db
    .insertInto('monitorReport')
    .values([{ monitor: honest, period: 1000, root: reportTree(1000, reports).root, ...revealed }, ...unpublished])
    .execute()
  const collect = createCollector({ store, chainId: 2985, clock: () => 0, onNews: () => {}, onProblem: () => {} })
  for (let round = 0; round < 4; round += 1) await collect()
  expect(asked).toBe(1)
})
