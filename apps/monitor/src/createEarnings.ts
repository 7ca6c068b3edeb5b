import { monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { drawnReports, isUnderRoot } from '@rackfair/sdk/uptime'
import { type Hex, zeroHash } from 'viem'
import type { createCallSender } from './createCallSender.ts'
import type { MonitorOptions } from './MonitorOptions.ts'

/** Until then a period can be earned, in periods after its end. */
const EARN_PERIODS = 4
const NOTHING = { beacon: zeroHash, deployment: zeroHash, image: zeroHash, signature: '0x' as Hex }

/** Shows the samples of its reports that are drawn, for which this monitor is paid. */
export function createEarnings(options: MonitorOptions, send: ReturnType<typeof createCallSender>) {
  const { account, client, monitors, calendar, observations, now, log } = options
  const contract = { address: monitors, abi: monitorsAbi } as const
  const monitor = lowerCaseAddress(account.address)
  /** Periods with nothing left to earn, the newest last. */
  const over = new Set<number>()

  const samplesOf = async (period: number, beacon: Hex) => {
    const root = await client.readContract({ ...contract, functionName: 'votingRootOf', args: [monitor, BigInt(period)] })
    const own = { monitor, period, reports: observations.reports(period) }
    const drawn = (await isUnderRoot(own, root)) ? drawnReports(own, beacon) : undefined
    return drawn?.map(({ market, orderId, vote, epoch }) => {
      const shown = { market, orderId, vote, ...NOTHING }
      if (epoch === undefined) return shown
      const said = observations.attested(period, { market, orderId })
      const one = said.find((kept) => kept.epoch === calendar.firstEpoch(period) + epoch)
      return one
        ? { ...shown, beacon: one.beacon, deployment: one.deployment, image: one.image, signature: one.signature }
        : shown
    })
  }

  return async (period: number): Promise<void> => {
    if (over.has(period) || now() >= calendar.endOf(period + EARN_PERIODS)) return
    const args = [BigInt(period + 3)] as const
    const beacon = await client.readContract({ ...contract, functionName: 'beaconOf', args })
    if (beacon === zeroHash) return
    const isPaid = await client.readContract({ ...contract, functionName: 'isPaid', args: [monitor, BigInt(period)] })
    const samples = isPaid ? undefined : await samplesOf(period, beacon)
    const outcome = samples && (await send('earn', [BigInt(period), samples]))
    if (outcome === 'failed') return
    if (outcome === 'sent') log.info({ period }, 'the pay of a period is earned')
    else if (!isPaid) log.info({ period }, 'nothing of a period can be shown, so it is not paid')
    over.add(period)
    for (const oldest of over) if (over.size > 2 * EARN_PERIODS) over.delete(oldest)
  }
}
