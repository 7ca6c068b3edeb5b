import { monitorsAbi } from '@rackfair/contracts'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import { toAppError, waitForReceipt } from '@rackfair/sdk'
import { type Contradiction, findContradictions } from '@rackfair/sdk/uptime'
import type { Address, Hex, LocalAccount, PublicClient, Transport, WalletClient } from 'viem'
import type { Evidence } from './openEvidence.ts'

/** A finding can be contradicted for as long after its period: windows, submission and challenge take less than four. */
const OPEN_PERIODS = 5

interface Options {
  client: PublicClient
  /** The contracts of these names. */
  monitors: Address
  findings: Address
  calendar: Calendar
  chainId: number
  evidence: Evidence
  /** Unix seconds. */
  now: number
}

/** How many words of monitors are kept for an order over the periods that can still be disputed, and which of them were broken. */
export async function inspectReports({ evidence, now, ...chain }: Options, orderId: bigint) {
  const { calendar } = chain
  const present = calendar.periodAt(now)
  const words = evidence.ofOrder(orderId, calendar.firstEpoch(present - OPEN_PERIODS), calendar.firstEpoch(present + 1) - 1)
  const perMonitor = new Map<string, number>()
  for (const { monitor } of words) perMonitor.set(monitor, (perMonitor.get(monitor) ?? 0) + 1)
  return { words: perMonitor, contradictions: await findContradictions(chain, words) }
}

/**
 * Proves a contradiction on chain. Half of what it costs the monitor goes to who sends it.
 * @throws AppError when the contract refuses it, as after somebody else has proved it.
 */
export async function proveContradiction(
  { client, monitors }: Pick<Options, 'client' | 'monitors'>,
  sender: WalletClient<Transport, undefined, LocalAccount>,
  { args }: Contradiction,
): Promise<Hex> {
  try {
    const call = { address: monitors, abi: monitorsAbi, functionName: 'proveContradiction', args } as const
    const { request } = await client.simulateContract({ ...call, account: sender.account })
    const hash = await sender.writeContract({ ...request, chain: null })
    await waitForReceipt(client, hash)
    return hash
  } catch (error) {
    throw error instanceof AppError ? error : toAppError(error)
  }
}
