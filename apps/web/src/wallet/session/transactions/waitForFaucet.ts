import { waitForReceipt } from '@rackfair/sdk'
import type { Hex } from 'viem'
import { noteBlock } from '../../../platform/api/knownBlock.ts'
import { queryClient } from '../../../platform/api/queryClient.ts'
import { marketQuery } from '../../useMarket.ts'
import { refreshLive } from './refreshLive.ts'

export async function waitForFaucet(hashes: readonly string[]): Promise<void> {
  const { client } = await queryClient.ensureQueryData(marketQuery)
  for (const hash of hashes) noteBlock((await waitForReceipt(client, hash as Hex)).blockNumber)
  refreshLive()
}
