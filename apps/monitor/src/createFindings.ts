import { findingsAbi, marketAbi, monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { fetchReports, findWrongImages, isUnderRoot, type PublishedReports, readMonitorUrls } from '@rackfair/sdk/uptime'
import type { Address } from 'viem'
import type { MonitorOptions } from './MonitorOptions.ts'

/** Reports of peers that are kept, of all periods together; a few hundred bytes each. */
const MAX_FETCHED = 200_000

export type OpenFinding = Awaited<ReturnType<ReturnType<typeof createFindings>['openFindings']>>[number]

/** Compares what this monitor and its peers say of a period with what the contract has counted. */
export function createFindings({ account, client, chainId, monitors, findings, calendar, observations }: MonitorOptions) {
  const contract = { address: findings, abi: findingsAbi } as const
  const self = lowerCaseAddress(account.address)
  /** Orders of a period with nothing left to do, so that they are not queried again. */
  const counted = new Set<string>()

  /** What peers published, the oldest first: whoever makes a peer unreadable later is too late. */
  const fetched = new Map<string, PublishedReports>()
  const fetchOnce = async (url: string, period: number): Promise<PublishedReports> => {
    const key = `${period} ${url}`
    const answer = fetched.get(key) ?? (await fetchReports(url, chainId, period))
    fetched.set(key, answer)
    let count = [...fetched.values()].reduce((sum, { reports }) => sum + reports.length, 0)
    for (const [oldest, { reports }] of fetched)
      if (count > MAX_FETCHED) {
        fetched.delete(oldest)
        count -= reports.length
      }
    return answer
  }
  /** Fetches what peers have published of a period, as far as it is not here yet. */
  const fetchPeers = async (period: number): Promise<(PublishedReports | undefined)[]> => {
    const peers = (await readMonitorUrls(client, monitors, chainId, period)).filter(({ monitor }) => monitor !== self)
    return Promise.all(peers.map(({ url }) => fetchOnce(url, period).catch(() => undefined)))
  }

  /** Reports whose root matches the one on chain: being a monitor earns no trust. */
  const readVotes = async (period: number): Promise<PublishedReports[]> => {
    const own = { monitor: self, period, reports: observations.reports(period) }
    const others = await fetchPeers(period)
    const published: PublishedReports[] = []
    for (const one of [own, ...others]) {
      if (!one || one.reports.length === 0 || published.some(({ monitor }) => monitor === one.monitor)) continue
      const args = [one.monitor, BigInt(period)] as const
      const root = await client.readContract({ address: monitors, abi: monitorsAbi, functionName: 'votingRootOf', args })
      if (await isUnderRoot(one, root)) published.push(one)
      else for (const [key, other] of fetched) if (other === one) fetched.delete(key)
    }
    return published
  }

  /** Whether the Market of an order has booked everything that is final for it; false if it does not answer. */
  const isCredited = async (market: Address, orderId: bigint): Promise<boolean> => {
    const [{ total }, { down }] = await Promise.all([
      client.readContract({ ...contract, functionName: 'downtimeOf', args: [market, orderId] }),
      client.readContract({ address: market, abi: marketAbi, functionName: 'getOrder', args: [orderId] }),
    ])
    return down >= total
  }

  /**
   * Orders that this monitor saw down, or running another image than promised, and that the contract has not counted yet. Orders that it
   * saw up are left to those who saw otherwise.
   */
  const openFindings = async (period: number) => {
    const open = []
    const wrongImages = findWrongImages(
      period,
      calendar,
      observations.attested(period).map((one) => ({ ...one, monitor: self })),
    )
    for (const { provider, nodeId, market, orderId, down } of observations.reports(period)) {
      const name = `${period} ${market} ${orderId}`
      const wrong = wrongImages.filter((one) => one.orderId === orderId && one.market === market)
      if ((down === 0n && wrong.length === 0) || counted.has(name)) continue
      const finding = await client.readContract({
        ...contract,
        functionName: 'findingOf',
        args: [market, orderId, BigInt(period)],
      })
      if (finding.counted && (await isCredited(market, orderId))) counted.add(name)
      else open.push({ provider, nodeId, market, orderId, finding, wrong })
    }
    return open
  }

  return { openFindings, readVotes, fetchPeers }
}
