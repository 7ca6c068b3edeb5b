import { DAY_SECONDS, HOUR_SECONDS, isOrderSeconds, readDuration } from '@rackfair/rules/duration'
import { keptUntil, nextRenewal } from '@rackfair/rules/order/renewal'
import { isLive } from '@rackfair/rules/order/status'
import {
  getOrder,
  keepOrder,
  listOrders,
  type Market,
  type PurseStanding,
  type RentedOrder,
  readMarket,
  readPurseOrder,
} from '@rackfair/sdk'
import { type Address, isAddressEqual } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session, usd } from '../session.ts'
import { amountOf } from './market.ts'
import { timeOf } from './orders.ts'
import { ownPurse } from './ownPurse.ts'

/** Its owner is told when an order that is kept alive ends within this time. */
const SOON_SECONDS = 3 * DAY_SECONDS
const CENT = 10n ** 16n

/** An order of a purse that is kept alive. */
export interface KeptOrder {
  order: RentedOrder
  standing: PurseStanding
  /** When it ends after the last renewal that is wanted and paid, in Unix seconds. */
  keptUntil: number
}

/** What a purse keeps alive, and until when its Credit and its owner's limits last. */
export async function keptOrders(market: Market, purse: Address, creditWei: bigint): Promise<KeptOrder[]> {
  const live = (await listOrders(market, purse)).filter(({ standing, user }) => isLive(standing) && isAddressEqual(user, purse))
  const found = await Promise.all(live.map(({ orderId }) => readPurseOrder(market, purse, orderId)))
  const kept = live.flatMap((order, index) => {
    const standing = found[index]?.standing
    return standing && order.endsAt !== undefined && standing.until > order.endsAt
      ? [{ order, standing, endsAt: order.endsAt }]
      : []
  })
  const ratePerMonthWei = kept.reduce((sum, { order }) => sum + order.ratePerMonthWei, 0n)
  return kept.map(({ order, standing, endsAt }) => {
    const renewable = { activateTime: endsAt, duration: 0, ratePerMonthWei: order.ratePerMonthWei }
    return { order, standing, keptUntil: keptUntil(renewable, standing, { creditWei, ratePerMonthWei }) }
  })
}

/** Says which renewals run out soon. */
export function warnOf({ text, output }: Session, kept: readonly KeptOrder[]): void {
  const now = Date.now() / 1000
  for (const { order, keptUntil: until } of kept)
    if (until < now + SOON_SECONDS) output.note(text.keptEndsSoon(order.orderId, timeOf(until)))
}

/** Shows when an order ends, and whether its purse keeps it alive. */
export async function order(session: Session, id: string): Promise<void> {
  const { text, output } = session
  const market = await session.market()
  const orderId = orderIdOf(id, text)
  const { user, id: known } = await getOrder(market.client, market.addresses, orderId)
  if (known === 0n) throw new CliError(EXIT.notFound, 'not_found', text.noOrder(orderId))
  const found = (await listOrders(market, user)).find((one) => one.orderId === orderId)
  if (!found) throw new CliError(EXIT.notFound, 'not_found', text.noOrder(orderId))
  const creditWei = await readMarket(market.client, market.addresses, 'credit', 'balanceOf', [user])
  // Most users are no purses: plain accounts have no code, and other contracts no such function.
  const all = await keptOrders(market, user, creditWei).catch((error: { code?: unknown }) => {
    if (error.code !== 'not_deployed_on_chain' && error.code !== 'unknown') throw error
    return []
  })
  const kept = all.filter((one) => one.order.orderId === orderId)
  const ends = found.endsAt === undefined ? text.notStarted : timeOf(found.endsAt)
  const lines = [
    text.orderEnds(text.standings[found.standing], ends),
    ...kept.map((one) => keptLine(one, text)),
    ...(kept.length === 0 ? [text.notKept] : []),
  ]
  output.data({ ...found, renewal: kept[0] ? factsOf(kept[0]) : null }, lines.join('\n'))
  warnOf(session, kept)
}

export const factsOf = ({ standing, keptUntil: until }: KeptOrder) => ({ ...standing, keptUntil: until })

export const keptLine = ({ order: { orderId }, standing, keptUntil: until }: KeptOrder, text: Session['text']): string =>
  text.keptLine(orderId, text.time(standing.stepHours * HOUR_SECONDS), usd(standing.maxMonthWei), timeOf(until))

export interface KeepFlags {
  for?: string
  step?: string
  maxMonth?: string
  maxTip?: string
  stop?: boolean
}

/** Keeps an order of the purse alive without its owner, or stops that. */
export async function keep(session: Session, id: string, flags: KeepFlags): Promise<void> {
  const { text, output, signal, onSent } = session
  const orderId = orderIdOf(id, text)
  const [asked, step] = [secondsOf(session, flags.for ?? '30d'), secondsOf(session, flags.step ?? '1d')]
  const limits = { month: amountOf(session, flags.maxMonth), tip: amountOf(session, flags.maxTip) }
  const { owner, purse } = await ownPurse(session)
  const { user, rate, activateTime, duration } = await getOrder(owner.client, owner.addresses, orderId)
  if (!isAddressEqual(user, purse)) throw new CliError(EXIT.refused, 'order_not_owned', text.notOfPurse(orderId))
  const now = Math.floor(Date.now() / 1000)
  const standing = flags.stop
    ? undefined
    : {
        ...{ maxMonthWei: limits.month ?? rate, maxTipWei: limits.tip ?? 2n * CENT },
        ...{ until: now + asked, stepHours: Math.ceil(step / HOUR_SECONDS) },
      }
  // Before it starts, it has its whole time ahead.
  const terms = { activateTime: activateTime || now, duration: Number(duration), ratePerMonthWei: rate }
  if (standing && !nextRenewal(terms, standing))
    throw new CliError(
      EXIT.refused,
      'bad_request',
      text.neverRenewed(orderId, timeOf(terms.activateTime + terms.duration), usd(rate)),
    )
  if (standing)
    await session.confirm(
      text.confirmKeep(
        ...([orderId, text.time(standing.stepHours * HOUR_SECONDS), timeOf(standing.until)] as const),
        ...([usd(standing.maxMonthWei), usd(standing.maxTipWei)] as const),
      ),
    )
  const { hash } = await keepOrder(owner, purse, orderId, standing, { onSent, signal })
  const said = standing ? text.keeps(orderId, timeOf(standing.until), hash) : text.keepsNoMore(orderId, hash)
  session.paid(said)
  output.note(said)
  output.data({ orderId, standing: standing ?? null, hash }, String(orderId))
}

function secondsOf({ text }: Session, time: string): number {
  const seconds = readDuration(time)
  if (seconds === undefined) throw new CliError(EXIT.usage, 'bad_request', text.badTime(time))
  if (!isOrderSeconds(seconds)) throw new CliError(EXIT.usage, 'bad_request', text.badTerm)
  return seconds
}
