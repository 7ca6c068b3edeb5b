import { monitorsAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type Calendar, createCalendar } from '@rackfair/rules/uptime/epoch'
import { readMonitors } from '@rackfair/sdk/uptime'
import type { Address } from 'viem'
import type { ChainView } from '../chain/read/chainView.ts'

/** The set of monitors changes hourly at most. */
const KEPT_MS = 60_000
/** Keys of one monitor that are kept: those it named while this program runs. */
const KEPT_KEYS = 4
/** Until they were read for the first time, the chain is asked more often: monitors have no answer before. */
const RETRY_MS = 1_000

export interface KnownMonitors {
  /** The contracts `Monitors` and `Findings` and their pace; undefined where the market's validator is a key. */
  contract: { address: Address; findings: Address; calendar: Calendar } | undefined
  /** Each with the keys it signs with, the newest first. */
  accounts: ReadonlyMap<LowerCaseAddress, readonly LowerCaseAddress[]>
}

/**
 * The monitors of the market's validator, read at most once a minute, or as often as `keptMs` asks for; the ones known before while the
 * chain is away.
 * @throws AppError `chain_unreachable` (retryable) while they were never read.
 */
export function createKnownMonitors(chain: Pick<ChainView, 'client' | 'addresses'>, now: () => number) {
  let known: KnownMonitors | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const read = async () => {
    const contract = await readMonitors(chain.client, chain.addresses.access)
    if (!contract) {
      known = { contract: undefined, accounts: new Map() }
      return
    }
    const { address, findings, pace } = contract
    const [accounts, named] = await chain.client.readContract({ address, abi: monitorsAbi, functionName: 'keys' })
    const keysOf = (account: LowerCaseAddress, key: LowerCaseAddress) => {
      const before = known?.accounts.get(account) ?? []
      return [...new Set([key, ...before])].slice(0, KEPT_KEYS)
    }
    known = {
      contract: { address, findings, calendar: createCalendar(pace) },
      accounts: new Map(
        accounts.map(lowerCaseAddress).map((one, index) => [one, keysOf(one, lowerCaseAddress(named[index] ?? one))]),
      ),
    }
  }

  return async (keptMs = KEPT_MS): Promise<KnownMonitors> => {
    if (known && now() - readAt < keptMs) return known
    // Whoever asks while they are read for the first time waits as the first one does.
    if (known || now() - readAt >= RETRY_MS) readAt = now()
    else if (!reading) throw unread()
    reading ??= read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
    await reading
    if (!known) throw unread()
    return known
  }
}

const unread = () =>
  new AppError('chain_unreachable', 'the chain cannot be read, which names the monitors; ask again', { retryable: true })
