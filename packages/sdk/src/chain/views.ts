import { marketAbi } from '@rackfair/contracts'
import type { CancelQuote } from '@rackfair/rules/order/money'
import type { Address } from 'viem'
import { getBalance } from 'viem/actions'
import { toAppError } from '../errors/toAppError.ts'
import type { ChainReader } from './ChainReader.ts'
import { readMarket } from './contractCall.ts'
import { type MarketAddresses, marketOf } from './readAddresses.ts'
import { readAt } from './readAt.ts'

/** An order as its Market stores it; `id` is 0 if there is no such order. Amounts in wei. */
export async function getOrder(client: ChainReader, addresses: MarketAddresses, orderId: bigint) {
  const market = await marketOf(client, addresses.access, orderId)
  return readMarket(client, addresses, 'market', 'getOrder', [orderId], market)
}

/** A node; `exist` is false if there is no such node. Prices in wei per unit and month. */
export async function getNode(client: ChainReader, addresses: MarketAddresses, provider: Address, nodeId: bigint) {
  return readMarket(client, addresses, 'registry', 'get_node', [provider, nodeId])
}

/** A provider; `exist` is false if the address never registered. */
export async function getProvider(client: ChainReader, addresses: MarketAddresses, provider: Address) {
  return readMarket(client, addresses, 'registry', 'get', [provider])
}

/** Everything that a purchase pins: the total price in wei, the node revision it was quoted for, and the conditions of the order. */
export async function quoteOrder(
  client: ChainReader,
  addresses: MarketAddresses,
  provider: Address,
  nodeId: bigint | number,
  durationSeconds: number,
) {
  const args = [provider, BigInt(nodeId), durationSeconds] as const
  const [feeWei, rev, conditions] = await readMarket(client, addresses, 'market', 'quoteOrder', args)
  return { feeWei, rev, conditions }
}

/** The price in wei of extending an order by `moreSeconds`. */
export async function quoteExtension(client: ChainReader, addresses: MarketAddresses, orderId: bigint, moreSeconds: number) {
  const market = await marketOf(client, addresses.access, orderId)
  return readMarket(client, addresses, 'market', 'fee', [orderId, moreSeconds], market)
}

/** What a cancel would do now, in wei, as the contract itself computes it for the pending block. */
export async function quoteCancel(
  client: ChainReader,
  addresses: MarketAddresses,
  orderId: bigint,
  byProvider: boolean,
): Promise<CancelQuote> {
  const market = await marketOf(client, addresses.access, orderId)
  const [toUser, toProvider, commission, compensation, pending] = await readAt(client, {
    address: market,
    abi: marketAbi,
    functionName: 'quoteCancel',
    args: [orderId, byProvider],
    blockTag: 'pending',
  })
  return { toUser, toProvider, commission, compensation, pending }
}

/** The balances of an account: Credit and the chain's native currency for gas, both in wei. */
export async function getBalances(client: ChainReader, addresses: MarketAddresses, account: Address) {
  const [creditWei, nativeWei] = await Promise.all([
    readMarket(client, addresses, 'credit', 'balanceOf', [account]),
    getBalance(client, { address: account }).catch((error: unknown) => {
      throw toAppError(error)
    }),
  ])
  return { creditWei, nativeWei }
}
