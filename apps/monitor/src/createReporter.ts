import { randomBytes } from 'node:crypto'
import { monitorsAbi } from '@rackfair/contracts'
import { agreedDown, EPOCHS_PER_PERIOD, epochAt, neededVotes, PERIOD_SECONDS, periodOf } from '@rackfair/core'
import { type DowntimeReport, reportCommitment, reportTree } from '@rackfair/sdk/uptime'
import { type Address, type Hex, isAddressEqual, zeroHash } from 'viem'
import type { MonitorOptions } from './MonitorOptions.ts'
import { fetchReports, type PublishedReports } from './publishedReports.ts'

const HOUR = 3600
/** The last epoch's three attempts are over by then. */
const SETTLE_SECONDS = 120
/** From the end of a period until nothing can be submitted for it any more, in periods. */
const OPEN_PERIODS = 5

interface ReporterOptions extends MonitorOptions {
  /** The contract `Monitors`. */
  monitors: Address
}

/** Brings what was observed to the chain: level-triggered, so each call does what is due now and not done yet. */
export function createReporter(options: ReporterOptions) {
  const { account, client, writer, monitors, observations, peers, now, log } = options
  const contract = { address: monitors, abi: monitorsAbi } as const

  /** Sends a call that would succeed now; false where another one was faster. */
  const send = async (
    functionName: 'commit' | 'reveal' | 'submit' | 'credit' | 'finish',
    args: readonly unknown[],
  ): Promise<boolean> => {
    const call = { ...contract, functionName, args, account } as never
    const { request } = await client.simulateContract(call).catch(() => ({ request: undefined }))
    if (!request) return false
    const hash = await writer.writeContract(request)
    const { status } = await client.waitForTransactionReceipt({ hash })
    log.info({ call: functionName, hash, status }, 'sent')
    return status === 'success'
  }

  const commit = async (period: number): Promise<void> => {
    const reports = observations.reports(period)
    if (reports.length === 0) return
    // The salt is kept before anybody sees what it hides: a monitor that is killed here commits to the same again.
    if (!observations.report(period))
      observations.putReport(period, reportTree(period, reports).root, `0x${randomBytes(32).toString('hex')}`)
    const kept = observations.report(period)
    if (!kept) return
    const commitment = reportCommitment(account.address, period, kept.root, kept.salt)
    const known = await client.readContract({
      ...contract,
      functionName: 'commitmentOf',
      args: [account.address, BigInt(period)],
    })
    if (known !== commitment) await send('commit', [BigInt(period), commitment])
  }

  const reveal = async (period: number): Promise<void> => {
    const kept = observations.report(period)
    if (!kept || kept.revealed) return
    const known = await client.readContract({ ...contract, functionName: 'rootOf', args: [account.address, BigInt(period)] })
    if (known !== zeroHash || (await send('reveal', [BigInt(period), kept.root, kept.salt]))) observations.setRevealed(period)
  }

  /** Reports whose root is the one on chain: nobody is believed for being a peer. */
  const readVotes = async (period: number): Promise<PublishedReports[]> => {
    const own = { monitor: account.address, period, reports: observations.reports(period) }
    const others = await Promise.all(peers.map((peer) => fetchReports(peer, period).catch(() => undefined)))
    const published: PublishedReports[] = []
    for (const one of [own, ...others]) {
      if (!one || one.reports.length === 0 || published.some(({ monitor }) => isAddressEqual(monitor, one.monitor))) continue
      const root = await client.readContract({ ...contract, functionName: 'rootOf', args: [one.monitor, BigInt(period)] })
      if (root === reportTree(period, one.reports).root) published.push(one)
    }
    return published
  }

  const submit = async (period: number): Promise<void> => {
    const published = await readVotes(period)
    for (const { market, orderId, down } of observations.reports(period)) {
      if (down === 0n) continue
      const finding = await client.readContract({
        ...contract,
        functionName: 'findingOf',
        args: [market, orderId, BigInt(period)],
      })
      const votes = published.flatMap((one) => voteOf(one, period, market, orderId) ?? [])
      votes.sort((a, b) => (BigInt(a.monitor) < BigInt(b.monitor) ? -1 : 1))
      // The contract asks for more votes where more are assigned; fewer than these are never enough.
      const agreed = agreedDown(
        votes.map(({ report }) => report.down),
        neededVotes(0),
      )
      if ((agreed & ~finding.down) === 0n) continue
      if (await send('submit', [market, orderId, BigInt(period), votes]))
        log.info({ orderId: String(orderId), period }, 'downtime was found')
    }
  }

  const credit = async (period: number): Promise<void> => {
    for (const { market, orderId } of observations.reports(period)) {
      const key = [market, orderId, BigInt(period)] as const
      const { finalAt, counted } = await client.readContract({ ...contract, functionName: 'findingOf', args: key })
      if (finalAt === 0 || counted || now() < finalAt) continue
      // A Market that takes no credit any more, as of an order that has ended, leaves the finding to the record.
      if (!(await send('credit', key))) await send('finish', key)
    }
  }

  return async (): Promise<void> => {
    const present = periodOf(epochAt(now()))
    for (let period = present - 1; period >= present - OPEN_PERIODS; period -= 1) {
      const since = now() - (period + 1) * PERIOD_SECONDS
      if (since < SETTLE_SECONDS) continue
      if (since < HOUR) await commit(period)
      else if (since < 2 * HOUR) await reveal(period)
      else {
        await submit(period)
        await credit(period)
      }
    }
  }
}

function voteOf({ monitor, reports }: PublishedReports, period: number, market: Address, orderId: bigint) {
  const index = reports.findIndex((one) => one.orderId === orderId && isAddressEqual(one.market, market))
  const report: DowntimeReport | undefined = reports[index]
  if (!report || report.observed >> BigInt(EPOCHS_PER_PERIOD) !== 0n) return undefined
  const proof: Hex[] = reportTree(period, reports).proof(index)
  return { monitor, report: { observed: report.observed, down: report.down }, proof }
}
