import { purseAbi } from '@rackfair/contracts'
import { type Address, keccak256, toHex } from 'viem'
import { readAt } from '../chain/readAt.ts'
import { appError } from '../errors/appError.ts'
import type { Market, Payer } from '../market/connectMarket.ts'
import { type Bought, type BuyOptions, boughtBy, offerOf, type Purchase } from './buyOrder.ts'
import { payByCall } from './payFromKey.ts'

/** What a purchase by name led to. */
export interface BoughtOnce {
  orderId: bigint
  /** Undefined if it was bought before. */
  bought: Bought | undefined
}

/**
 * The order that the renter's key bought with its purse under a name before; undefined if it bought none.
 * @throws AppError `bad_request` for a renter without a purse, `rpc_unreachable` (retryable).
 * @example const orderId = await boughtOnce(ci, 'build 812')
 */
export async function boughtOnce({ client, wallet, purse }: Payer, name: string): Promise<bigint | undefined> {
  if (purse === undefined) throw appError('bad_request', 'only a purse remembers what was bought under a name: see withPurse')
  const args = [wallet.account.address, nameOf(name)] as const
  const orderId = await readAt(client, { address: purse, abi: purseAbi, functionName: 'boughtOnce', args })
  return orderId === 0n ? undefined : orderId
}

/**
 * Buys a machine with a purse, once: the purse remembers the name, for this key. A program that does not know whether it has bought, since it
 * died or heard nothing, calls this again with the same name, on whatever machine, and pays once; also if it runs twice at the same time.
 *
 * @throws AppError as `buyOrder`; `bad_request` for a renter without a purse.
 * @example const { orderId } = await buyOnce(ci, 'build 812', { provider, nodeId: 1, term: '1h' })
 */
export async function buyOnce(
  renter: Payer & Partial<Pick<Market, 'api'>>,
  name: string,
  purchase: Purchase,
  options: BuyOptions = {},
): Promise<BoughtOnce> {
  const before = await boughtOnce(renter, name)
  if (before !== undefined) return { orderId: before, bought: undefined }
  const { feeWei, plain } = await offerOf(renter, purchase, options)
  const call = { address: renter.purse as Address, abi: purseAbi, functionName: 'buyOnce', args: [nameOf(name), ...plain.args] }
  const bought = boughtBy(await payByCall(renter, feeWei, call, options), feeWei)
  const orderId = bought?.orderId ?? (await boughtOnce(renter, name))
  if (orderId === undefined) throw appError('unknown', 'the transaction created no order')
  return { orderId, bought }
}

const nameOf = (name: string) => keccak256(toHex(name))
