import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { ChainView } from '../chain/read/chainView.ts'
import type { Outbox } from '../chain/transactions/outbox.ts'
import type { Log } from '../foundation/log.ts'
import { reasonOf } from '../foundation/reasonOf.ts'
import { disputeFindings } from './disputeFindings.ts'
import type { KnownMonitors } from './knownMonitors.ts'
import type { Evidence } from './openEvidence.ts'

/** Where the market has no monitors yet, or the chain does not answer. */
const IDLE_MS = 60_000

/** Checks once an epoch whether something was found that can be disputed. Answers how to stop it, which waits for a check under way. */
export function watchFindings(options: {
  chain: ChainView
  monitors: () => Promise<KnownMonitors>
  provider: LowerCaseAddress
  evidence: Evidence
  outbox: Pick<Outbox, 'enqueue' | 'flush'>
  log: Log
  /** Unix seconds. */
  now: () => number
}): () => Promise<void> {
  const { chain, provider, evidence, outbox, log, now } = options
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const check = async (): Promise<number> => {
    const { contract } = await options.monitors()
    if (!contract) return IDLE_MS
    const { address: monitors, findings, calendar } = contract
    const { client, chainId } = chain
    await disputeFindings({ client, monitors, findings, calendar, chainId, provider, evidence, outbox, log, now: now() })
    return calendar.epochSeconds * 1000
  }
  const again = async (): Promise<void> => {
    const waitMs = await check().catch((error: unknown) => {
      log.debug('findings cannot be checked', { reason: reasonOf(error) })
      return IDLE_MS
    })
    if (stopped) return
    timer = setTimeout(() => {
      looking = again()
    }, waitMs)
    timer.unref()
  }
  let looking = again()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await looking
  }
}
