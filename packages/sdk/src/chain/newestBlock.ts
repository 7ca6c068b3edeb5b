import { getBlockNumber } from 'viem/actions'
import { toAppError } from '../errors/toAppError.ts'
import type { ChainReader } from './ChainReader.ts'

/**
 * The chain's newest block: as `minBlock` of a read it has the platform answer with all that the chain says by now, whoever sent it.
 * @throws AppError `rpc_unreachable` (retryable)
 * @example await listOrders(market, account, { minBlock: await newestBlock(market.client) })
 */
export async function newestBlock(client: ChainReader): Promise<bigint> {
  try {
    return await getBlockNumber(client, { cacheTime: 0 })
  } catch (error) {
    throw toAppError(error)
  }
}
