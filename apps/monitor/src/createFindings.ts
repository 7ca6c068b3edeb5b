import { marketAbi, monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/core'
import { fetchReports, findWrongImages, isUnderRoot, type PublishedReports, readMonitorUrls } from '@rackfair/sdk/uptime'
import type { Address } from 'viem'
import type { MonitorOptions } from './MonitorOptions.ts'

export type OpenFinding = Awaited<ReturnType<ReturnType<typeof createFindings>['openFindings']>>[number]

/** Compares what this monitor and its peers say of a period with what the contract has counted. */
export function createFindings({ account, client, chainId, monitors, calendar, observations }: MonitorOptions) {
  const contract = { address: monitors, abi: monitorsAbi } as const
  const self = lowerCaseAddress(account.address)
  /** Orders of a period with nothing left to do, so that they are not queried again. */
  const counted = new Set<string>()

  /** Reports whose root matches the one on chain: being a monitor earns no trust. */
  const readVotes = async (period: number): Promise<PublishedReports[]> => {
    const own = { monitor: self, period, reports: observations.reports(period) }
    const peers = (await readMonitorUrls(client, monitors, chainId)).filter(({ monitor }) => monitor !== self)
    const others = await Promise.all(peers.map(({ url }) => fetchReports(url, period).catch(() => undefined)))
    const published: PublishedReports[] = []
    for (const one of [own, ...others]) {
      if (!one || one.reports.length === 0 || published.some(({ monitor }) => monitor === one.monitor)) continue
      const root = await client.readContract({ ...contract, functionName: 'rootOf', args: [one.monitor, BigInt(period)] })
      if (await isUnderRoot(one, root)) published.push(one)
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
    const wrongImages = findWrongImages(period, calendar, observations.attested(period))
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

  return { openFindings, readVotes }
}
