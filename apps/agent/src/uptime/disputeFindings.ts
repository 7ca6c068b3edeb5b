import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import { findContest, findContradictions } from '@rackfair/sdk/uptime'
import { type Address, encodeFunctionData, type PublicClient } from 'viem'
import type { Outbox } from '../chain/transactions/outbox.ts'
import type { Log } from '../foundation/log.ts'
import type { Evidence } from './openEvidence.ts'

/** Periods back in which something can still be found and contested. */
const OPEN_PERIODS = 4

/**
 * Checks whether monitors found down what others acknowledged, and has the chain decide: who reported against its own acknowledgement pays for it out of its bond, and
 * what more than a third of all monitors saw up, none of them drawn for the node, is void. Level-triggered: what is sent and not mined is asked for again.
 */
export async function disputeFindings(options: {
  client: PublicClient
  /** The contracts of these names. */
  monitors: Address
  findings: Address
  calendar: Calendar
  chainId: number
  provider: LowerCaseAddress
  evidence: Evidence
  outbox: Pick<Outbox, 'enqueue' | 'flush'>
  log: Log
  /** Unix seconds. */
  now: number
}): Promise<void> {
  const { client, monitors, findings, calendar, provider, evidence, outbox, log, now } = options
  const present = calendar.periodAt(now)
  for (const order of evidence.ordersSince(calendar.firstEpoch(present - OPEN_PERIODS))) {
    const { market, orderId } = order
    for (let period = present - OPEN_PERIODS; period < present; period += 1) {
      const args = [market, orderId, BigInt(period)] as const
      const first = calendar.firstEpoch(period)
      const { down, counted } = await client.readContract({
        address: findings,
        abi: findingsAbi,
        functionName: 'findingOf',
        args,
      })
      if (down === 0n || counted) continue
      const words = evidence
        .ofOrder(orderId, first, first + calendar.epochsPerPeriod - 1)
        .filter(({ epoch }) => (down >> BigInt(epoch - first)) & 1n)
      if (words.length === 0) continue
      const name = { orderId: String(orderId), period }
      for (const { monitor, epoch, args } of await findContradictions(options, words)) {
        log.warn('a monitor reports an epoch as down that it had acknowledged; a part of its bond is claimed', {
          ...name,
          monitor,
          epoch,
        })
        const data = encodeFunctionData({ abi: monitorsAbi, functionName: 'proveContradiction', args })
        outbox.enqueue({ kind: 'dispute', orderId, contract: monitors, against: `${period}:${monitor}:${epoch}`, data })
      }
      const contest = await findContest(options, { ...order, provider }, period)
      if (!contest) continue
      log.warn('what monitors found down others saw up; it is contested', name)
      const data = encodeFunctionData({ abi: findingsAbi, functionName: 'contest', args: contest.args })
      outbox.enqueue({ kind: 'dispute', orderId, contract: findings, against: `${period}:${down}`, data })
    }
  }
  await outbox.flush()
}
