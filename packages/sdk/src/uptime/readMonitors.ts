import { accessAbi, findingsAbi, monitorsAbi } from '@rackfair/contracts'
import type { Pace } from '@rackfair/rules/uptime/epoch'
import type { Address } from 'viem'
import { getCode } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'

/** The contracts that a market trusts for downtime. */
export interface MonitorsContract {
  /** `Monitors`: who monitors, and what each of them reported. */
  address: Address
  /** `Findings`, the market's validator: what monitors agree on. */
  findings: Address
  pace: Pace
}

/**
 * The validator of a market and how it counts time; undefined if the validator is a plain key.
 * @throws AppError if the chain cannot be read.
 */
export async function readMonitors(client: ChainReader, access: Address): Promise<MonitorsContract | undefined> {
  const findings = await readAt(client, { address: access, abi: accessAbi, functionName: 'validator' })
  const code = await getCode(client, { address: findings })
  if (code === undefined || code === '0x') return undefined
  const address = await readAt(client, { address: findings, abi: findingsAbi, functionName: 'monitors' })
  const contract = { address, abi: monitorsAbi } as const
  const [epochSeconds, epochsPerPeriod] = await Promise.all([
    readAt(client, { ...contract, functionName: 'epochSeconds' }),
    readAt(client, { ...contract, functionName: 'epochsPerPeriod' }),
  ])
  return { address, findings, pace: { epochSeconds: Number(epochSeconds), epochsPerPeriod: Number(epochsPerPeriod) } }
}
