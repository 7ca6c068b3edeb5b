import { randomBytes } from 'node:crypto'
import { marketAbi, monitorsAbi } from '@rackfair/contracts'
import { receiptOf } from '@rackfair/contracts/receiptOf'
import { agreedDown, neededVotes } from '@rackfair/core'
import { withGasMargin } from '@rackfair/sdk'
import {
  fetchReports,
  findWrongImages,
  type PublishedReports,
  readMonitorUrls,
  reportCommitment,
  reportTree,
  voteOf,
} from '@rackfair/sdk/uptime'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeAbiParameters,
  isAddressEqual,
  parseAbiParameters,
  zeroHash,
} from 'viem'
import type { MonitorOptions } from './MonitorOptions.ts'

/** From the end of a period until nothing can be submitted for it any more, in periods. */
const OPEN_PERIODS = 5

type Call = 'commit' | 'reveal' | 'submit' | 'proveWrongImage' | 'credit' | 'finish' | 'creditDowntime'
/** `failed`: nobody knows what it would have come to. */
type Outcome = 'sent' | 'refused' | 'failed'

/** Brings what was observed to the chain: level-triggered, so each call does what is due now and not done yet. */
export function createReporter(options: MonitorOptions) {
  const { account, client, writer, monitors, calendar, schedule, observations, metrics, now, log } = options
  const contract = { address: monitors, abi: monitorsAbi } as const
  /** Orders of a period about which nothing is left to be done, so that nobody is asked about them again. */
  const counted = new Set<string>()

  /** Sends a call of `Monitors`, or of the Market that it names; not where the contract says no, as when another one was faster. */
  const send = async (functionName: Call, args: readonly unknown[], market?: Address): Promise<Outcome> => {
    const call = { ...(market ? { address: market, abi: marketAbi } : contract), functionName, args, account } as never
    try {
      const { request } = await client.simulateContract(call)
      const gas = withGasMargin(await client.estimateContractGas(call))
      const hash = await writer.writeContract({ ...request, gas } as never)
      const { status } = await receiptOf(client, hash)
      metrics.transactions.inc({ call: functionName, status })
      log.info({ call: functionName, hash, status }, 'sent')
      return status === 'success' ? 'sent' : 'failed'
    } catch (error) {
      if (error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionRevertedError)) return 'refused'
      // What is due is tried again at the next step.
      log.warn({ call: functionName, reason: String(error) }, 'cannot be sent')
      return 'failed'
    }
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
    if (!kept) return
    // Read every time: a chain that went another way has forgotten what was revealed.
    const known = await client.readContract({ ...contract, functionName: 'rootOf', args: [account.address, BigInt(period)] })
    if (known === zeroHash) await send('reveal', [BigInt(period), kept.root, kept.salt])
  }

  /** Reports whose root is the one on chain: nobody is believed for being a monitor. */
  const readVotes = async (period: number): Promise<PublishedReports[]> => {
    const own = { monitor: account.address, period, reports: observations.reports(period) }
    const peers = (await readMonitorUrls(client, monitors, options.chainId)).filter(
      ({ monitor }) => !isAddressEqual(monitor, account.address),
    )
    const others = await Promise.all(peers.map(({ url }) => fetchReports(url, period).catch(() => undefined)))
    const published: PublishedReports[] = []
    for (const one of [own, ...others]) {
      if (!one || one.reports.length === 0 || published.some(({ monitor }) => isAddressEqual(monitor, one.monitor))) continue
      const root = await client.readContract({ ...contract, functionName: 'rootOf', args: [one.monitor, BigInt(period)] })
      if (root === reportTree(period, one.reports).root) published.push(one)
    }
    return published
  }

  /** Whether the Market of an order has taken all that is final of it; not while it does not answer. */
  const isCredited = async (market: Address, orderId: bigint): Promise<boolean> => {
    const [{ total }, { down }] = await Promise.all([
      client.readContract({ ...contract, functionName: 'downtimeOf', args: [market, orderId] }),
      client.readContract({ address: market, abi: marketAbi, functionName: 'getOrder', args: [orderId] }),
    ])
    return down >= total
  }

  /**
   * What this monitor saw down, or running another image than was promised, and the contract has not counted yet. Orders that it saw up
   * are left to those who saw otherwise.
   */
  const openFindings = async (period: number) => {
    const open = []
    const wrongImages = findWrongImages(period, calendar, observations.attested(period))
    for (const { provider, nodeId, market, orderId, down } of observations.reports(period)) {
      const name = `${period} ${market} ${orderId}`
      const wrong = wrongImages.filter((one) => one.orderId === orderId && isAddressEqual(one.market, market))
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

  const submit = async (period: number, open: Awaited<ReturnType<typeof openFindings>>): Promise<void> => {
    const published = await readVotes(period)
    for (const { provider, nodeId, market, orderId, finding } of open) {
      const drawn = await client.readContract({ ...contract, functionName: 'assigned', args: [provider, nodeId, BigInt(period)] })
      const votes = published
        .filter(({ monitor }) => drawn.some((one) => isAddressEqual(one, monitor)))
        .flatMap((one) => voteOf(one, market, orderId) ?? [])
      votes.sort((a, b) => (BigInt(a.monitor) < BigInt(b.monitor) ? -1 : 1))
      const agreed = agreedDown(
        votes.map(({ report }) => report.down),
        neededVotes(drawn.length),
      )
      if ((agreed & ~(finding.down | finding.contested)) === 0n) continue
      if ((await send('submit', [market, orderId, BigInt(period), votes])) === 'sent')
        log.info({ orderId: String(orderId), period }, 'downtime was found')
    }
  }

  const prove = async (period: number, open: Awaited<ReturnType<typeof openFindings>>): Promise<void> => {
    for (const { orderId, finding, wrong } of open)
      for (const { epochs, args } of wrong)
        if ((epochs & ~finding.proven) !== 0n && (await send('proveWrongImage', args)) === 'sent')
          log.info({ orderId: String(orderId), period }, 'another image ran than was promised')
  }

  const credit = async (period: number, open: Awaited<ReturnType<typeof openFindings>>): Promise<void> => {
    for (const { market, orderId, finding } of open) {
      if (finding.finalAt === 0 || now() < finding.finalAt || (finding.down | finding.proven) === 0n) continue
      const key = [market, orderId, BigInt(period)] as const
      // A Market that takes no credit any more, as of an order that has ended, leaves the finding to the record.
      if (!finding.counted && (await send('credit', key)) === 'refused') await send('finish', key)
      if (finding.counted) await tellMarket(market, orderId)
    }
  }

  /** Anybody may finish a finding without telling the Market, its provider first of all: the order would pay for its downtime. */
  const tellMarket = async (market: Address, orderId: bigint): Promise<void> => {
    const { total, asOf } = await client.readContract({ ...contract, functionName: 'downtimeOf', args: [market, orderId] })
    const signature = encodeAbiParameters(parseAbiParameters('uint64, uint32, uint40'), [orderId, total, asOf])
    await send('creditDowntime', [orderId, total, asOf, signature], market)
  }

  return async (): Promise<void> => {
    const present = calendar.periodAt(now())
    for (let period = present - 1; period >= present - OPEN_PERIODS; period -= 1) {
      const since = now() - calendar.endOf(period)
      if (since < schedule.settleSeconds) continue
      if (since < calendar.windowSeconds) await commit(period)
      else if (since < 2 * calendar.windowSeconds) await reveal(period)
      else {
        const open = await openFindings(period)
        if (open.length === 0) continue
        await submit(period, open)
        await prove(period, open)
        await credit(period, open)
      }
    }
  }
}
