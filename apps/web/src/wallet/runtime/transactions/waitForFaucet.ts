import { waitForReceipt } from '@rackfair/sdk'
import type { Hex } from 'viem'
import { noteBlock } from '../../../lib/knownBlock.ts'
import { queryClient } from '../../../lib/queryClient.ts'
import { marketQuery } from '../../useMarket.ts'
import { refreshLive } from './refreshLive.ts'

export async function waitForFaucet(hashes: readonly string[]): Promise<void> {
  const { client } = await queryClient.ensureQueryData(marketQuery)
  for (const hash of hashes) noteBlock((await waitForReceipt(client, hash as Hex)).blockNumber)
  refreshLive()
}
