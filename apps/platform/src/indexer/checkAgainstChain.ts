import { marketAbi, registryAbi } from '@rackfair/contracts'
import type { Address } from 'viem'
import type { Store } from '../store/openStore.ts'
import type { ChainSource } from './ChainSource.ts'
import type { IndexerSettings } from './Indexer.ts'

const SAMPLE = 20

export interface Difference {
  what: string
  field: string
  stored: string
  onChain: string
}

/** Compares the totals and the newest orders with the contracts' state at the indexed block. */
export async function checkAgainstChain(store: Store, settings: IndexerSettings, chain: ChainSource): Promise<Difference[]> {
  const cursor = await store.db.selectFrom('cursor').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  const stat = await store.db.selectFrom('globalStat').selectAll().where('id', '=', 1).executeTakeFirst()
  const orders = await store.db.selectFrom('order').selectAll().orderBy('id', 'desc').limit(SAMPLE).execute()
  const contracts = await store.db.selectFrom('contract').selectAll().orderBy('version', 'desc').execute()
  const known = [
    ...contracts.map(({ address, kind }) => ({ address, kind })),
    ...[...settings.contracts].map(([address, kind]) => ({ address, kind })),
  ]
  const addressOf = (kind: string) => known.find((entry) => entry.kind === kind)?.address as Address | undefined
  const registry = addressOf('registry')
  const market = addressOf('market')
  if (!registry || !market) return []

  const blockNumber = BigInt(cursor.block)
  const differences: Difference[] = []
  const compare = (what: string, field: string, stored: unknown, onChain: unknown) => {
    if (String(stored) !== String(onChain)) differences.push({ what, field, stored: String(stored), onChain: String(onChain) })
  }
  const totals = await chain.client.readContract({ address: registry, abi: registryAbi, functionName: 'gInfo', blockNumber })
  for (const [field, value] of Object.entries(totals)) compare('gInfo', field, stat?.[field as 'cpNumber'] ?? 0, value)
  for (const order of orders) {
    const args = [BigInt(order.id)] as const
    const onChain = await chain.client.readContract({
      address: market,
      abi: marketAbi,
      functionName: 'getOrder',
      args,
      blockNumber,
    })
    if (onChain.id === 0n) continue
    for (const field of ['totalValue', 'remuneration', 'duration', 'down', 'activateTime', 'rate'] as const) {
      compare(`order ${order.id}`, field, order[field], onChain[field])
    }
  }
  return differences
}
