import { accessAbi } from '@rackfair/contracts'
import type { Address } from 'viem'
import type { ChainReader } from './ChainReader.ts'
import type { ContractName } from './contractAbis.ts'
import { readAt } from './readAt.ts'

/** The addresses of the five contracts of the current version. */
export type MarketAddresses = Readonly<Record<ContractName, Address>>

/**
 * Reads the current version from Access, the only address a program has to know.
 * @throws AppError `not_deployed_on_chain` when there is no Access at that address.
 */
export async function readAddresses(client: ChainReader, access: Address): Promise<MarketAddresses> {
  const [, set] = await readAt(client, { address: access, abi: accessAbi, functionName: 'current', args: [] })
  return { access, registry: set.registry, pledge: set.pledge, market: set.market, credit: set.credit }
}

/** The Market that holds an order: an order stays in the version it was bought from. */
export async function marketOf(client: ChainReader, access: Address, orderId: bigint): Promise<Address> {
  return readAt(client, { address: access, abi: accessAbi, functionName: 'marketOf', args: [orderId] })
}
