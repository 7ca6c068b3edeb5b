import { accessAbi, monitorsAbi } from '@rackfair/contracts'
import type { Pace } from '@rackfair/rules/uptime/epoch'
import type { Address } from 'viem'
import { getCode } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'

/** The contract `Monitors` that a market trusts for downtime. */
export interface MonitorsContract {
  address: Address
  pace: Pace
}

/**
 * The validator of a market and how it counts time; undefined if the validator is a plain key.
 * @throws AppError if the chain cannot be read.
 */
export async function readMonitors(client: ChainReader, access: Address): Promise<MonitorsContract | undefined> {
  const address = await readAt(client, { address: access, abi: accessAbi, functionName: 'validator' })
  const code = await getCode(client, { address })
  if (code === undefined || code === '0x') return undefined
  const contract = { address, abi: monitorsAbi } as const
  const [epochSeconds, epochsPerPeriod] = await Promise.all([
    readAt(client, { ...contract, functionName: 'epochSeconds' }),
    readAt(client, { ...contract, functionName: 'epochsPerPeriod' }),
  ])
  return { address, pace: { epochSeconds: Number(epochSeconds), epochsPerPeriod: Number(epochsPerPeriod) } }
}
