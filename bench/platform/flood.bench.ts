import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeploymentReport } from '@rackfair/protocol/deployments'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { privateKeyToAccount } from 'viem/accounts'
import { openStore } from '../../apps/platform/src/store/openStore.ts'
import { load } from './load.ts'
import { openAgents } from './openAgents.ts'
import { seedMarket } from './seedMarket.ts'
import { memoryMb, startApi, stopProgram } from './startProgram.ts'
import { table } from './table.ts'

/** One agent sends 15 MB of statuses as fast as the connection accepts them, while buyers read the list of nodes. */
const FLOOD_BYTES = 15_000_000
const address = (index: number) => lowerCaseAddress(`0x${index.toString(16).padStart(40, '0')}`)
const operator = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const folder = mkdtempSync(join(tmpdir(), 'rackfair-bench-flood-'))
const settings = { dataFolder: join(folder, 'data'), databaseUrl: undefined }
const store = await openStore(settings)
await seedMarket(store, { nodes: 300, orders: 0, operator: lowerCaseAddress(operator.address) })
const told: DeploymentReport = {
  ...{ id: 'd1', orderId: '1', deployId: 2, user: address(9), provider: address(1), phase: 'Pulling', steps: [] },
  ...{ requestedAt: 1, visitUrl: null },
}
const { steps: _, ...row } = told
await store.db
  .insertInto('deployment')
  .values({
    ...row,
    user: address(9),
    provider: address(1),
    details: null,
    agentId: null,
    runningAt: null,
    textHash: '',
    request: null,
    expires: 0,
  })
  .execute()
await store.close()

const { child, url } = await startApi(settings, folder)
const [agent] = await openAgents(url, [address(1)], operator)
const list = (index: number) => `/v1/nodes?limit=50&maxPrice=${100_000 + (index % 500)}`
const quiet = await load(list, url, { connections: 2, seconds: 3 })
const before = { memory: memoryMb(child), disk: diskMb() }
const closed = new Promise<CloseEvent>((resolve) => agent?.addEventListener('close', resolve))
let sent = 0
for (let index = 0; sent < FLOOD_BYTES; index += 1) {
  const steps = Array.from({ length: 32 }, (_, step) => ({
    phase: 'Pulling' as const,
    at: index * 32 + step,
    message: 'x'.repeat(1_000),
  }))
  const text = JSON.stringify({ type: 'status', deployment: { ...told, steps } })
  agent?.send(text)
  sent += text.length
}
const flooded = await load(list, url, { connections: 2, seconds: 3 })
const { code, reason } = await closed
const figures = [quiet.p99, flooded.p99, memoryMb(child) - before.memory, diskMb() - before.disk].map((value) => value.toFixed(1))
table(['list p99 ms before', 'during', 'memory grew MB', 'database grew MB', 'closed with'], [[...figures, `${code} ${reason}`]])
await stopProgram(child)
rmSync(folder, { recursive: true, force: true })

function diskMb(): number {
  return readdirSync(settings.dataFolder).reduce((sum, name) => sum + statSync(join(settings.dataFolder, name)).size, 0) / 1e6
}
