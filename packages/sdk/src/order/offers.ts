import type { Address, Hex } from 'viem'
import { getBlock } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { type ContractCall, contractCall } from '../chain/contractCall.ts'
import { creditPermitMessage, permitArgument } from '../chain/creditPermit.ts'
import { type MarketAddresses, marketOf } from '../chain/readAddresses.ts'
import { toAppError } from '../errors/toAppError.ts'
import { serverSeconds } from '../serverClock.ts'

/** A purchase or an extension to pay for: its price in wei, the Market that takes it, and the call with and without a permit. */
export interface Offer {
  feeWei: bigint
  spender: Address
  plain: ContractCall
  withPermit: (permit: ReturnType<typeof permitArgument>) => ContractCall
}

/** The conditions that an order keeps from its creation; seconds, and the commission in 1/10,000 of what the provider earns. */
export interface Conditions {
  probation: number
  holdback: number
  penalty: number
  commissionBps: number
}

/** The EIP-712 message of a permit. */
export type PermitMessage = Awaited<ReturnType<typeof creditPermitMessage>>

const PERMIT_SECONDS = 1800n

/**
 * A new order as quoted: `rev`, `feeWei` and `conditions` pin it, so that it reverts, instead of costing more, if the machine, a price or a
 * condition has changed.
 *
 * @param quote.duration seconds, an hour to 120 months of 30 days.
 * @example orderOffer(addresses, { provider, nodeId, duration, ...(await quoteOrder(client, addresses, provider, nodeId, duration)) })
 */
export function orderOffer(
  addresses: MarketAddresses,
  quote: {
    provider: Address
    nodeId: bigint | number
    duration: number
    feeWei: bigint
    rev: number
    conditions: Conditions
    app?: string
  },
): Offer {
  const { provider, nodeId, duration, feeWei, rev, conditions, app = '' } = quote
  const input = { provider, nodeId: BigInt(nodeId), rev, duration, maxFee: feeWei, conditions, app }
  return {
    feeWei,
    spender: addresses.market,
    plain: contractCall(addresses, 'market', 'createOrder', [input]),
    withPermit: (permit) => contractCall(addresses, 'market', 'createOrderWithPermit', [input, permit]),
  }
}

/** More time for an order, in the Market that holds it. */
export async function extensionOffer(
  market: { client: ChainReader; addresses: MarketAddresses },
  quote: { orderId: bigint; moreSeconds: number; feeWei: bigint },
): Promise<Offer> {
  const { client, addresses } = market
  const { orderId, moreSeconds, feeWei } = quote
  const at = await marketOf(client, addresses.access, orderId)
  return {
    feeWei,
    spender: at,
    plain: contractCall(addresses, 'market', 'extend', [orderId, moreSeconds], at),
    withPermit: (permit) => contractCall(addresses, 'market', 'extendWithPermit', [orderId, moreSeconds, permit], at),
  }
}

/**
 * What `owner` signs to let the Market take exactly the price within half an hour, and how to turn the signature into the argument of
 * `withPermit`.
 *
 * @example
 * const { message, permit } = await permitRequest(market, account.address, offer)
 * const call = offer.withPermit(permit(await account.signTypedData(message)))
 */
export async function permitRequest(
  market: { client: ChainReader; addresses: MarketAddresses; chainId: number },
  owner: Address,
  { feeWei, spender }: Pick<Offer, 'feeWei' | 'spender'>,
) {
  const { timestamp } = await getBlock(market.client).catch((error: unknown) => {
    throw toAppError(error)
  })
  // The chain's clock decides, but its last block may be old, or ahead of the platform's clock.
  const now = BigInt(serverSeconds())
  const deadline = (timestamp > now ? timestamp : now) + PERMIT_SECONDS
  const permit = { owner, spender, valueWei: feeWei, deadline, chainId: market.chainId }
  return {
    message: await creditPermitMessage(market.client, market.addresses, permit),
    permit: (signature: Hex) => permitArgument(feeWei, deadline, signature),
  }
}
