import { purseFactoryAbi } from '@rackfair/contracts'
import { type Address, isAddressEqual } from 'viem'
import { readAt } from '../chain/readAt.ts'
import { appError } from '../errors/appError.ts'
import type { Payer } from '../market/connectMarket.ts'

/**
 * The address of an account's purse, whether it exists, and the factory that makes it.
 *
 * @throws AppError `not_deployed_on_chain` where the market has none, or names those of another market; `rpc_unreachable`.
 * @example const { purse, exists } = await purseOf(market, account.address)
 */
export async function purseOf(
  { client, addresses, purses }: Pick<Payer, 'client' | 'addresses' | 'purses'>,
  owner: Address,
): Promise<{ purse: Address; exists: boolean; factory: Address }> {
  if (purses === undefined) throw appError('not_deployed_on_chain', 'this market has no purses')
  const factory = { address: purses, abi: purseFactoryAbi } as const
  const [access, [purse, exists]] = await Promise.all([
    readAt(client, { ...factory, functionName: 'access', args: [] }),
    readAt(client, { ...factory, functionName: 'purseOf', args: [owner] }),
  ])
  if (!isAddressEqual(access, addresses.access)) throw appError('not_deployed_on_chain', 'these purses are of another market')
  return { purse, exists, factory: purses }
}
