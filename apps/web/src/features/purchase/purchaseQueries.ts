import { quoteExtension, quoteOrder, readMarket, readPaymentWay } from '@rackfair/sdk'
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { Address } from 'viem'
import { getGasPrice } from 'viem/actions'
import type { Market } from '../../wallet/index.ts'

/** More than the dearest path, approval and order together, has ever used. */
const GAS_OF_A_PURCHASE = 450_000n

/** The fee as the contract says it, and the revision it holds for. */
export function orderFeeQuery(market: Market | undefined, provider: string, nodeId: number, seconds: number | undefined) {
  return queryOptions({
    queryKey: ['purchase', 'fee', provider, nodeId, seconds ?? 0],
    queryFn:
      market && seconds !== undefined
        ? () => quoteOrder(market.client, market.addresses, provider as Address, nodeId, seconds)
        : skipToken,
    meta: { live: [`node:${provider}/${nodeId}`] },
  })
}

export function extensionFeeQuery(market: Market | undefined, orderId: bigint, seconds: number | undefined) {
  return queryOptions({
    queryKey: ['purchase', 'extension-fee', String(orderId), seconds ?? 0],
    queryFn:
      market && seconds !== undefined ? () => quoteExtension(market.client, market.addresses, orderId, seconds) : skipToken,
    meta: { live: [`order:${orderId}`] },
  })
}

/** The parameters that the next order will be created with. */
export function paramsQuery(market: Market | undefined) {
  return queryOptions({
    queryKey: ['purchase', 'params'],
    queryFn: market ? () => readMarket(market.client, market.addresses, 'market', 'params', []) : skipToken,
    staleTime: 300_000,
  })
}

/** What the transactions of a purchase may cost at the present price of gas, in wei. */
export function gasQuery(market: Market | undefined) {
  return queryOptions({
    queryKey: ['purchase', 'gas'],
    queryFn: market ? async () => (await getGasPrice(market.client)) * GAS_OF_A_PURCHASE : skipToken,
    meta: { live: ['block'] },
    staleTime: 15_000,
  })
}

/** How the wallet will hand over this fee; undefined before it is connected. */
export function paymentWayQuery(
  market: Market | undefined,
  address: Address | undefined,
  feeWei: bigint | undefined,
  canBatch: () => Promise<boolean>,
) {
  return queryOptions({
    queryKey: ['purchase', 'way', address ?? '', String(feeWei ?? '')],
    queryFn:
      market && address && feeWei !== undefined
        ? () => readPaymentWay(market, { address, canBatch }, { spender: market.addresses.market, feeWei })
        : skipToken,
    staleTime: 15_000,
  })
}
