import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { AlertEvent } from '@rackfair/rules/alerts'
import { OrderStatus } from '@rackfair/rules/order/status'
import { orderEnd } from '@rackfair/rules/order/time'
import type { Presence } from '../presence/Presence.ts'
import type { Database } from '../store/openStore.ts'

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
const ENDING_SECONDS = [3 * 86_400, 86_400] as const
const MAX_ROWS = 5000

/** Events since `fromBlock` and conditions at `now`, for accounts that have alerts. Idempotent: a repeated call finds the same. */
export async function observeAlerts(
  db: Database,
  presence: Pick<Presence, 'offlineSince'>,
  { fromBlock, now }: { fromBlock: number; now: number },
): Promise<Observation[]> {
  const owners = db.selectFrom('alertRule').select('owner').where('confirmed', '=', 1)
  const orders = await db
    .selectFrom('orderEvent as event')
    .innerJoin('order', 'order.id', 'event.orderId')
    .select(['event.name', 'event.time', 'order.id', 'order.user', 'order.provider', 'order.status'])
    .where('event.block', '>=', fromBlock - BLOCKS_AGAIN)
    .where('event.name', 'in', ['OrderCreated', 'OrderClosed'])
    .where((is) => is.or([is('order.user', 'in', owners), is('order.provider', 'in', owners)]))
    .limit(MAX_ROWS)
    .execute()
  const ofOrders = orders.flatMap(({ name, time, id, user, provider, status }): Observation[] => {
    const base = { time: Number(time), orderId: String(id), provider, detail: Number(status) }
    if (name === 'OrderCreated') return [{ ...base, event: 'sold', key: `sold:${id}`, account: provider }]
    return [...new Set([user, provider])].map((account) => ({ ...base, event: 'closed', key: `closed:${id}`, account }))
  })

  const live = await db
    .selectFrom('order')
    .select(['id', 'user', 'provider', 'activateTime', 'duration', 'status'])
    .where('status', 'in', [OrderStatus.Created, OrderStatus.Active])
    .where('user', 'in', owners)
    .limit(MAX_ROWS)
    .execute()
  const ending = live.flatMap((order): Observation[] => {
    if (order.status !== OrderStatus.Active) return []
    const end = orderEnd(order)
    const within = ENDING_SECONDS.filter((seconds) => end > now && end - now <= seconds && order.duration > seconds).at(-1)
    if (within === undefined) return []
    const key = `ending:${order.id}:${end}:${within}`
    return [
      {
        event: 'ending',
        key,
        account: order.user,
        time: now,
        orderId: String(order.id),
        provider: order.provider,
        detail: end - now,
      },
    ]
  })

  const selling = await db
    .selectFrom('provider')
    .select('address')
    .where('nNode', '>', 0)
    .where('address', 'in', owners)
    .limit(MAX_ROWS)
    .execute()
  const watched = [
    ...selling.map(({ address }) => ({ provider: address, account: address, orderId: null })),
    ...live.map(({ id, user, provider }) => ({ provider, account: user, orderId: String(id) })),
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
    .where('deployment.user', 'in', owners)
    .where('event.at', '>', (now - HOUR_SECONDS) * 1000)
    .limit(MAX_ROWS)
    .execute()
  const failures = failed.map(({ id, orderId, user, provider, at, position }): Observation => {
    const time = Math.floor(Number(at) / 1000)
    return { event: 'failed', key: `failed:${id}:${position}`, account: user, time, orderId, provider, detail: 0 }
  })
  return [...ofOrders, ...ending, ...offline, ...failures]
}
