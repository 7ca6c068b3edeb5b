import { creditAbi } from '@rackfair/contracts'
import { readPurseOrder } from '@rackfair/sdk'
import type { Address, PublicClient } from 'viem'
import type { MarketDeployment } from '../settings/Settings.ts'
import { createLateReader } from './createLateReader.ts'
import type { PurseSources } from './endsOf.ts'

export function readPurses(
  client: PublicClient,
  { credit }: Pick<MarketDeployment, 'credit'>,
  clock: () => number,
): PurseSources {
  return {
    standingOf: createLateReader(async (key) => {
      const [purse, orderId = ''] = key.split(' ')
      return (await readPurseOrder({ client }, purse as Address, BigInt(orderId))).standing ?? null
    }, clock),
    creditOf: createLateReader((purse) => {
      const args = [purse as Address] as const
      return client.readContract({ address: credit, abi: creditAbi, functionName: 'balanceOf', args })
    }, clock),
  }
}
