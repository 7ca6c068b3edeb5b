import type { LowerCaseAddress } from '@rackfair/rules/address'
import { keptUntil, type StandingOrder } from '@rackfair/rules/order/renewal'
import { orderEnd } from '@rackfair/rules/order/time'
import type { LateReader } from './createLateReader.ts'

/** What the chain says of purses. */
export interface PurseSources {
  /** How an order is kept alive, by `purseOrder`; null where it is not. */
  standingOf: LateReader<StandingOrder | null>
  /** Wei of Credit in a purse. */
  creditOf: LateReader<bigint>
}

export const purseOrder = (purse: LowerCaseAddress, orderId: bigint | number | string): string => `${purse} ${orderId}`

interface LiveOrder {
  id: bigint | number | string
  user: LowerCaseAddress
  activateTime: number
  duration: number
  rate: bigint | string
}

/**
 * When each running order ends if its user does nothing: one of a purse after its last renewal that is wanted and paid. Orders of purses of
 * which the chain has not told enough yet are left out.
 */
export function endsOf<Running extends LiveOrder>(
  running: readonly Running[],
  purses: ReadonlySet<LowerCaseAddress>,
  { standingOf, creditOf }: PurseSources,
  now: number,
): { order: Running; end: number }[] {
  /** What is over is not renewed any more. */
  const mayBeKept = (order: Running) => purses.has(order.user) && orderEnd(order) > now
  const ofPurses = Map.groupBy(running.filter(mayBeKept), ({ user }) => user)
  const own = running.filter((order) => !mayBeKept(order)).map((order) => ({ order, end: orderEnd(order) }))
  const kept = [...ofPurses].flatMap(([purse, orders]) => {
    const creditWei = creditOf(purse)
    const standings = orders.map(({ id }) => standingOf(purseOrder(purse, id)))
    if (creditWei === undefined || standings.includes(undefined)) return []
    const rates = orders.map(({ rate }, index) => (standings[index] ? BigInt(rate) : 0n))
    const ratePerMonthWei = rates.reduce((sum, rate) => sum + rate, 0n)
    return orders.map((order, index) => {
      const renewable = { activateTime: order.activateTime, duration: order.duration, ratePerMonthWei: BigInt(order.rate) }
      return { order, end: keptUntil(renewable, standings[index] ?? undefined, { creditWei, ratePerMonthWei }) }
    })
  })
  return [...own, ...kept]
}
