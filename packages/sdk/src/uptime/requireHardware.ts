import { monitorsAbi } from '@rackfair/contracts'
import { type HardwareResultWire, readHardwareRecord } from '@rackfair/hardware/record'
import {
  agreedVerification,
  type HardwareFinding,
  isVerified,
  VERIFIED_SECONDS,
  type Verification,
} from '@rackfair/hardware/verification'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { Address } from 'viem'
import { getBlock } from 'viem/actions'
import { readAt } from '../chain/readAt.ts'
import { appError } from '../errors/appError.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { Market } from '../market/connectMarket.ts'
import { createResultCheck } from './hardware.ts'
import { readMonitors } from './readMonitors.ts'

/** The required level of hardware verification. */
export interface HardwareWish {
  /** Defaults to 1: any class. */
  minClass?: number
  /** Seconds since the test. Defaults to eight days. */
  maxAge?: number
}

/** A machine as offered. */
export interface OfferedMachine {
  provider: Address
  nodeId: bigint | number
  rev: number
}

type Reader = Pick<Market, 'api' | 'client' | 'chainId' | 'addresses'>

/** Maximum results to check; the platform keeps no more per machine. */
const MAX_RESULTS = 300
/** How far ahead a monitor's clock may run. */
const MAX_AHEAD_SECONDS = 600

/**
 * What monitors agree on for a machine's hardware, from results of the last `maxAge` seconds. The results come from the platform, which can
 * withhold some; their signatures are checked here, and the monitors drawn are read from the contract.
 *
 * @throws AppError `platform_unreachable`, `rpc_unreachable` (retryable), `answer_malformed`.
 */
export async function readVerification(
  { api, client, chainId, addresses }: Reader,
  { provider, nodeId, rev }: OfferedMachine,
  now: number,
  maxAge: number = VERIFIED_SECONDS,
): Promise<Verification | undefined> {
  const contract = await readMonitors(client, addresses.access)
  if (!contract) return undefined
  const owner = lowerCaseAddress(provider)
  const answer = await api.nodeHardware(owner, Number(nodeId))
  readHardwareRecord(answer)
  const isOf = (one: HardwareResultWire) =>
    lowerCaseAddress(one.provider) === owner && BigInt(one.nodeId) === BigInt(nodeId) && one.rev === rev
  const isRecent = ({ time }: HardwareResultWire) => now - time <= maxAge && time - now <= MAX_AHEAD_SECONDS
  const periodSeconds = contract.pace.epochSeconds * contract.pace.epochsPerPeriod
  const isSigned = createResultCheck(client, chainId, contract.address)
  const drawnIn = new Map<number, readonly LowerCaseAddress[]>()
  const findings: HardwareFinding[] = []
  for (const one of answer.results.slice(0, MAX_RESULTS)) {
    if (!isOf(one) || !isRecent(one) || !(await isSigned(one))) continue
    const period = Math.floor(one.time / periodSeconds)
    const args = [provider, BigInt(nodeId), BigInt(period)] as const
    const call = { address: contract.address, abi: monitorsAbi, functionName: 'assigned', args } as const
    const drawn = drawnIn.get(period) ?? (await readAt(client, call)).map((account) => lowerCaseAddress(account))
    drawnIn.set(period, drawn)
    findings.push({ ...one, monitor: lowerCaseAddress(one.monitor), drawn })
  }
  return agreedVerification(findings, rev)
}

/**
 * Refuses a machine whose hardware, as offered now, monitors have not verified.
 *
 * @throws AppError `hardware_not_verified`, and as `readVerification`.
 * @example await requireHardware(market, { provider, nodeId: 1, rev }, { minClass: 2, maxAge: 86_400 })
 */
export async function requireHardware(market: Reader, machine: OfferedMachine, wish: HardwareWish): Promise<void> {
  const { timestamp } = await getBlock(market.client).catch((error: unknown) => {
    throw toAppError(error)
  })
  const now = Number(timestamp)
  const verification = await readVerification(market, machine, now, wish.maxAge)
  if (isVerified(verification, now, wish)) return
  const found = verification ? `${verification.outcome} in class ${verification.hardwareClass}` : 'nothing agreed on'
  throw appError('hardware_not_verified', `the hardware of node ${machine.nodeId} is not verified as asked for: ${found}`)
}
