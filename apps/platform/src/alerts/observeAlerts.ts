import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { AlertEvent } from '@rackfair/rules/alerts'
import { OrderStatus } from '@rackfair/rules/order/status'
import type { Presence } from '../presence/Presence.ts'
import type { Database } from '../store/openStore.ts'
import { endsOf, type PurseSources } from './endsOf.ts'

/** An event that an account with an alert should be notified of. `key` is the same however often it is observed. */
export interface Observation {
  event: AlertEvent
  key: string
  account: LowerCaseAddress
  /** Unix seconds. */
  time: number
  orderId: string | null
  provider: string | null
  /** Status of a closed order; remaining seconds of an ending one; number of nodes that a pledge does not back. */
  detail: number
}

/** A reorg may replace this many blocks: they are read again, without notifying twice. */
const BLOCKS_AGAIN = 64
/** Long enough not to alert for an agent that merely restarts. */
const OFFLINE_AFTER_SECONDS = 300
const HOUR_SECONDS = 3600
/** An order may be extended until its end by a clock that differs from this one. */
const CLOCK_SLACK_SECONDS = 60
const ENDING_SECONDS = [3 * 86_400, 86_400] as const
const MAX_ROWS = 5000

/** Events since `fromBlock` and conditions at `now`, for accounts that have alerts. Idempotent: a repeated call finds the same. */
export async function observeAlerts(
  db: Database,
  presence: Pick<Presence, 'offlineSince'>,
  purses: PurseSources,
  { fromBlock, now }: { fromBlock: number; now: number },
): Promise<Observation[]> {
  const rules = db.selectFrom('alertRule').where('confirmed', '=', 1)
  const owners = rules.select('owner')
  /** The orders of a purse are its owner's. */
  const buyers = owners.union(
    rules.select('purse as owner').where('purse', 'is not', null).$castTo<{ owner: LowerCaseAddress }>(),
  )
  const ownerOf = await ownersOfPurses(db)
  const accountOf = (user: LowerCaseAddress) => ownerOf.get(user) ?? user
  const orders = await db
    .selectFrom('orderEvent as event')
    .innerJoin('order', 'order.id', 'event.orderId')
    .select(['event.name', 'event.time', 'order.id', 'order.user', 'order.provider', 'order.status'])
    .where('event.block', '>=', fromBlock - BLOCKS_AGAIN)
    .where('event.name', 'in', ['OrderCreated', 'OrderClosed'])
    .where((is) => is.or([is('order.user', 'in', buyers), is('order.provider', 'in', owners)]))
    .limit(MAX_ROWS)
    .execute()
  const ofOrders = orders.flatMap(({ name, time, id, user, provider, status }): Observation[] => {
    const base = { time: Number(time), orderId: String(id), provider, detail: Number(status) }
    if (name === 'OrderCreated') return [{ ...base, event: 'sold', key: `sold:${id}`, account: provider }]
    return [...new Set([accountOf(user), provider])].map((account) => ({
      ...base,
      event: 'closed',
      key: `closed:${id}`,
      account,
    }))
  })

  const live = await db
    .selectFrom('order')
    .select(['id', 'user', 'provider', 'activateTime', 'duration', 'status', 'rate'])
    .where('status', 'in', [OrderStatus.Created, OrderStatus.Active])
    .where('user', 'in', buyers)
    .limit(MAX_ROWS)
    .execute()
  const running = live.filter(({ status }) => status === OrderStatus.Active)
  const ending = endsOf(running, new Set(ownerOf.keys()), purses, now).flatMap(({ order, end }) =>
    observeEnd({ ...order, account: accountOf(order.user) }, end, now),
  )

  const selling = await db
    .selectFrom('provider')
    .select('address')
    .where('nNode', '>', 0)
    .where('address', 'in', owners)
    .limit(MAX_ROWS)
    .execute()
  const watched = [
    ...selling.map(({ address }) => ({ provider: address, account: address, orderId: null })),
    ...live.map(({ id, user, provider }) => ({ provider, account: accountOf(user), orderId: String(id) })),
  ]
  const offline = watched.flatMap(({ provider, account, orderId }): Observation[] => {
    const since = presence.offlineSince(provider)
    if (since === null || now - since < OFFLINE_AFTER_SECONDS) return []
    const key = `offline:${orderId ?? provider}:${since}`
    return [{ event: 'offline', key, account, time: since, orderId, provider, detail: now - since }]
  })

  const failed = await db
    .selectFrom('deployment')
    .innerJoin('deploymentEvent as event', 'event.deploymentId', 'deployment.id')
    .select(['deployment.id', 'deployment.orderId', 'deployment.user', 'deployment.provider', 'event.at', 'event.position'])
    .where('deployment.phase', '=', 'Failed')
    .where('event.phase', '=', 'Failed')
    .where('deployment.user', 'in', buyers)
    .where('event.at', '>', (now - HOUR_SECONDS) * 1000)
    .limit(MAX_ROWS)
    .execute()
  const failures = failed.map(({ id, orderId, user, provider, at, position }): Observation => {
    const time = Math.floor(Number(at) / 1000)
    return { event: 'failed', key: `failed:${id}:${position}`, account: accountOf(user), time, orderId, provider, detail: 0 }
  })
  return [...ofOrders, ...ending, ...offline, ...failures]
}

async function ownersOfPurses(db: Database): Promise<Map<LowerCaseAddress, LowerCaseAddress>> {
  const rules = await db.selectFrom('alertRule').select(['owner', 'purse']).distinct().where('confirmed', '=', 1).execute()
  return new Map(rules.flatMap(({ owner, purse }) => (purse === null ? [] : [[purse, owner] as const])))
}

/** What is to be told of a running order that ends then. */
function observeEnd(
  order: { id: bigint | number | string; activateTime: number; account: LowerCaseAddress; provider: LowerCaseAddress },
  end: number,
  now: number,
): Observation[] {
  const { id, activateTime, account, provider } = order
  const base = { account, provider, orderId: String(id) }
  // Told once: that it is closed on the chain has the same key, and an agent that is away closes nothing.
  if (end + CLOCK_SLACK_SECONDS <= now)
    return [{ ...base, event: 'closed', key: `closed:${id}`, time: end, detail: OrderStatus.Completed }]
  const within = ENDING_SECONDS.filter((seconds) => end > now && end - now <= seconds && end - activateTime > seconds).at(-1)
  if (within === undefined) return []
  return [{ ...base, event: 'ending', key: `ending:${id}:${end}:${within}`, time: now, detail: end - now }]
}
