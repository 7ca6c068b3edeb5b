import type { Address } from 'viem'
import type { Payer } from '../market/connectMarket.ts'

/**
 * The same renter, as the owner or a key of a purse: what it buys, extends, ends, moves and deploys is the purse's, paid by the purse within
 * what the key was granted.
 *
 * @example
 * const ci = withPurse(withAccount(market, privateKeyToAccount(process.env.RACKFAIR_KEY)), '0x…')
 * const { orderId } = await buyOrder(ci, { provider, nodeId: 1, months: 1 })
 */
export const withPurse = <Renter extends Payer>(renter: Renter, purse: Address): Renter => ({ ...renter, purse })
