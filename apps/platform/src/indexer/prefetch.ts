import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Session } from '../store/openStore.ts'
import { dayOf } from './dayOf.ts'
import type { ChainEvent } from './decodeLog.ts'
import type { Fold } from './Fold.ts'
import { namedContracts } from './namedContracts.ts'
import { prefetchMonitors } from './prefetchMonitors.ts'
import { prefetchPledges } from './prefetchPledges.ts'
import { statSteps } from './statSteps.ts'

interface NamedKeys {
  id?: bigint
  cp?: LowerCaseAddress
  nodeId?: bigint
  provider?: LowerCaseAddress
  account?: LowerCaseAddress
  orderId?: bigint
  from?: bigint
}

/** Loads every row that the handlers of these events may read: first those named by the events, then those named by their orders. */
export async function prefetch(session: Session, fold: Fold, events: readonly ChainEvent[]): Promise<void> {
  const orders = new Set<string>()
  const providers = new Set<string>()
  const nodes = new Set<string>()
  const pledges = new Set<string>()
  const contracts = new Set<string>()
  for (const event of events) {
    const args = event.args as NamedKeys
    if (event.kind === 'market' && args.id !== undefined) orders.add(String(args.id))
    if (event.name === 'OrderMoved') orders.add(String(args.from))
    if (args.provider) providers.add(args.provider)
    if (args.provider && args.nodeId !== undefined) nodes.add(`${args.provider}|${args.nodeId}`)
    if (args.cp) providers.add(args.cp)
    if (args.cp && args.id !== undefined) nodes.add(`${args.cp}|${args.id}`)
    if (event.kind === 'pledge' && args.account) pledges.add(args.account)
    if (event.kind === 'monitors' && args.orderId !== undefined) orders.add(String(args.orderId))
    if (event.kind === 'access') for (const { address } of namedContracts(event)) contracts.add(address)
  }
  await fold.load(session, 'globalStat', ['1'])
  if (!fold.find('globalStat', '1')) fold.put('globalStat', { id: 1, ...NO_TOTALS })
  await fold.load(session, 'order', orders)
  await fold.load(session, 'pledge', pledges)
  await fold.load(session, 'contract', contracts)
  await prefetchPledges(session, fold, events)
  await prefetchMonitors(session, fold, events)

  const partyOf = new Map<string, { provider: LowerCaseAddress; nodeId: number }>()
  for (const event of events) {
    if (event.name !== 'OrderCreated') continue
    const { args } = event as ChainEvent<'OrderCreated'>
    partyOf.set(String(args.id), { provider: args.provider, nodeId: Number(args.nodeId) })
  }
  const earnings = new Set<string>()
  for (const event of events) {
    const id = (event.args as NamedKeys).id
    if (event.kind !== 'market' || id === undefined) continue
    const party = fold.find('order', String(id)) ?? partyOf.get(String(id))
    if (!party) continue
    providers.add(party.provider)
    if (event.name === 'OrderSettled') earnings.add(`${party.provider}|${dayOf(event.time)}|${party.nodeId}`)
  }
  await fold.load(session, 'provider', providers)
  await fold.load(session, 'node', nodes)
  await fold.load(session, 'earning', earnings)
  const times = new Set(events.map(({ time }) => time))
  await fold.load(
    session,
    'statBucket',
    [...times].flatMap((at) => statSteps(at).map(({ step, time }) => `${step}|${time}`)),
  )
}

const NO_TOTALS = {
  cpNumber: 0,
  nodeGlobal: 0,
  nodeUsed: 0,
  cpuGlobal: 0,
  cpuUsed: 0,
  gpuGlobal: 0,
  gpuUsed: 0,
  memGlobal: 0,
  memUsed: 0,
  diskGlobal: 0,
  diskUsed: 0,
}
