import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../apps/platform/src/store/openStore.ts'

const PROVIDERS = 100
const USERS = 9_000
const PAGE = 300
const address = (index: number) => lowerCaseAddress(`0x${index.toString(16).padStart(40, '0')}`)
const GPUS = ['RTX 4090', 'RTX 4080', 'RTX 3090', 'RTX 3080', '']
const DEAL = {
  pCPU: '43000000000000000000',
  pGPU: '133000000000000000000',
  pMEM: '500000000000000000',
  pDISK: '20000000000000000',
}

/** Fills an empty store with a market of this size. Existing rows stay. */
export async function seedMarket(
  { db, kind }: Store,
  size: { nodes: number; orders: number; providers?: number; operator?: LowerCaseAddress },
): Promise<void> {
  const { providers = PROVIDERS, operator = address(0) } = size
  await db.transaction().execute(async (inside) => {
    for (const table of ['cursor', 'provider', 'node', 'order'] as const) await inside.deleteFrom(table).execute()
    const cursor = {
      id: 1,
      chainId: 2985,
      access: address(1),
      genesisHash: '',
      block: 1,
      blockHash: '',
      blockTime: 1,
      foldVersion: 1,
    }
    await inside.insertInto('cursor').values(cursor).execute()
    const counts = {
      nNode: 0,
      uNode: 0,
      nMem: 0,
      uMem: 0,
      nDisk: 0,
      uDisk: 0,
      ordersCompleted: 0,
      ordersRunning: 0,
      ordersDropped: 0,
      ordersMissed: 0,
    }
    const rows = range(0, providers).map((index) => ({
      ...counts,
      address: address(index + 1),
      position: index,
      name: `provider ${index}`,
      ip: '127.0.0.1',
      domain: '',
      port: 7070,
      operator,
      withdrawn: '0',
    }))
    for (let start = 0; start < providers; start += PAGE)
      await inside
        .insertInto('provider')
        .values(rows.slice(start, start + PAGE))
        .execute()
    for (let start = 0; start < size.nodes; start += PAGE) {
      await inside
        .insertInto('node')
        .values(range(start, Math.min(start + PAGE, size.nodes)).map(nodeRow))
        .execute()
    }
    if (size.orders > 0) await seedOrders(inside, kind, size.orders)
  })
  await sql`analyze`.execute(db)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function nodeRow(index: number) {
  const gpuModel = GPUS[index % GPUS.length] ?? ''
  const offer = {
    cpuModel: 'Xeon Silver 4316',
    gpuModel,
    nCPU: 2,
    core: 20,
    nGPU: gpuModel ? 1 + (index % 8) : 0,
    nMEM: 64 + (index % 16) * 16,
    nDISK: 1_000,
  }
  const rate = String(BigInt(200 + (index % 1_000)) * 10n ** 18n)
  const state = { rev: 1, orderId: 0, exist: 1, avail: 0, online: 1, addedTime: index, minTerm: 0 }
  return { cp: address((index % PROVIDERS) + 1), id: Math.floor(index / PROVIDERS) + 1, ...offer, ...DEAL, rate, ...state }
}

/** A million rows are not sent: the database generates them itself. */
async function seedOrders(db: Store['db'], kind: Store['kind'], orders: number): Promise<void> {
  const times = { activateTime: 0, deployTime: 0, duration: 2_592_000 }
  const terms = {
    probation: 600,
    holdback: 86_400,
    penalty: 86_400,
    down: 0,
    reportedUntil: 0,
    downSince: 0,
    pendingUntil: 0,
    commissionBps: 0,
    userConfirm: 0,
    providerConfirm: 1,
  }
  const money = { rate: '1', totalValue: '1', remuneration: '0', commission: '0', refunded: '1', compensated: '0', pending: '0' }
  const parts = { nCPU: 2, nGPU: 1, nMEM: 64, nDISK: 1_000, cpuModel: 'Xeon Silver 4316', gpuModel: 'RTX 4090', core: 20 }
  const same = { nodeId: 1, rev: 1, app: 'nginx', status: 4, ...times, ...terms, ...money, ...DEAL, ...parts }
  const hex = (number: RawBuilder<unknown>) =>
    kind === 'postgres' ? sql`'0x' || lpad(to_hex(${number}), 40, '0')` : sql`printf('0x%040x', ${number})`
  const counted: Record<string, RawBuilder<unknown>> = {
    id: sql`i + 1`,
    user: hex(sql`1000 + i % ${sql.lit(USERS)}`),
    provider: hex(sql`i % ${sql.lit(PROVIDERS)} + 1`),
    createTime: sql`i`,
    lastSettleTime: sql`i`,
    closeTime: sql`i + 1`,
  }
  const columns = sql.join([...Object.keys(counted), ...Object.keys(same)].map((column) => sql.ref(column)))
  const values = sql.join([...Object.values(counted), ...Object.values(same).map((value) => sql.lit(value))])
  const numbers = sql`with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i + 1 < ${sql.lit(orders)})`
  await sql`insert into "order" (${columns}) ${numbers} select ${values} from numbers`.execute(db)
}
