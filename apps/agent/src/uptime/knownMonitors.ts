import { accessAbi, monitorsAbi } from '@rackfair/contracts'
import type { Address } from 'viem'
import type { ChainView } from '../chain/chainView.ts'

/** Who monitors changes by the hour at most. */
const KEPT_MS = 60_000

export interface KnownMonitors {
  /** The contract `Monitors`; undefined where the market's validator is a key. */
  address: Address | undefined
  accounts: ReadonlySet<string>
}

/** The monitors of the market's validator, read at most once a minute; the ones known before while the chain is away. */
export function createKnownMonitors(chain: Pick<ChainView, 'client' | 'addresses'>, now: () => number) {
  let known: KnownMonitors = { address: undefined, accounts: new Set() }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const read = async () => {
    const address = await chain.client.readContract({
      address: chain.addresses.access,
      abi: accessAbi,
      functionName: 'validator',
    })
    const code = await chain.client.getCode({ address })
    if (code === undefined || code === '0x') {
      known = { address: undefined, accounts: new Set() }
      return
    }
    const accounts = await chain.client.readContract({ address, abi: monitorsAbi, functionName: 'monitors' })
    known = { address, accounts: new Set(accounts.map((one) => one.toLowerCase())) }
  }

  return async (): Promise<KnownMonitors> => {
    if (now() - readAt < KEPT_MS) return known
    readAt = now()
    reading ??= read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
    await reading
    return known
  }
}
