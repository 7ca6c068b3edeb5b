import { purseAbi } from '@rackfair/contracts'
import type { Address } from 'viem'
import { readMarket } from '../chain/contractCall.ts'
import { readAt } from '../chain/readAt.ts'
import type { Payer } from '../market/connectMarket.ts'
import { NO_LIMIT, type PurseRight, rightsOf } from '../purse/rights.ts'

/** A key of a purse. Amounts are wei of Credit; a limit that is undefined is none. */
export interface PurseKey {
  grantId: number
  key: Address
  isRevoked: boolean
  /** What it may spend now. */
  leftWei: bigint
  totalWei: bigint
  refillWei: bigint
  maxMonthWei: bigint | undefined
  maxGpuHourWei: bigint | undefined
  maxTermHours: number
  /** Unix seconds. */
  validUntil: number
  rights: PurseRight[]
  /** Whether it may use every provider, not only those that its grant lists. */
  isAnyProvider: boolean
}

export interface PurseView {
  owner: Address
  creditWei: bigint
  /** Revoked ones included, oldest first. */
  keys: PurseKey[]
}

/**
 * What a purse holds, and who may spend it.
 *
 * @throws AppError `rpc_unreachable`; `unknown` if there is no purse at this address.
 * @example const { creditWei, keys } = await readPurse(market, purse)
 */
export async function readPurse({ client, addresses }: Pick<Payer, 'client' | 'addresses'>, purse: Address): Promise<PurseView> {
  const at = { address: purse, abi: purseAbi } as const
  const [owner, creditWei, count] = await Promise.all([
    readAt(client, { ...at, functionName: 'owner', args: [] }),
    readMarket(client, addresses, 'credit', 'balanceOf', [purse]),
    readAt(client, { ...at, functionName: 'grants', args: [] }),
  ])
  const keys: PurseKey[] = []
  for (let id = 1; id <= count; id += 1) {
    const { key, isRevoked, left, limits } = await readAt(client, { ...at, functionName: 'grantAt', args: [id] })
    keys.push({
      ...{ grantId: id, key, isRevoked, leftWei: left, totalWei: limits.total, refillWei: limits.refill },
      maxMonthWei: limits.maxRate === NO_LIMIT ? undefined : limits.maxRate,
      maxGpuHourWei: limits.maxGpuHour === NO_LIMIT ? undefined : limits.maxGpuHour,
      ...{ maxTermHours: limits.maxTerm, validUntil: limits.validUntil, ...rightsOf(limits.rights) },
    })
  }
  return { owner, creditWei, keys }
}
