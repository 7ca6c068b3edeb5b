import { randomBytes } from 'node:crypto'
import { creditAbi, findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { agreedDown, neededVotes } from '@rackfair/rules/uptime/epoch'
import { buildReportTree, reportCommitment, voteOf } from '@rackfair/sdk/uptime'
import { type Address, encodeAbiParameters, isAddressEqual, parseAbiParameters, zeroHash } from 'viem'
import { createCallSender } from './createCallSender.ts'
import { createDraws } from './createDraws.ts'
import { createEarnings } from './createEarnings.ts'
import { createFindings, type OpenFinding } from './createFindings.ts'
import type { MonitorOptions } from './MonitorOptions.ts'

/** Number of periods, from the end of a period, in which something can still be submitted for it. */
const OPEN_PERIODS = 5

/** Brings observations to the chain. Level-triggered: each call does whatever is due and not done yet. */
export function createReporter(options: MonitorOptions) {
  const { account, client, addresses, monitors, findings, calendar, schedule, observations, now, log } = options
  const contract = { address: monitors, abi: monitorsAbi } as const
  const send = createCallSender(options)
  const { announceDraw, draw } = createDraws(options, send)
  const earn = createEarnings(options, send)
  const { openFindings, readVotes, fetchPeers } = createFindings(options)

  const commit = async (period: number): Promise<void> => {
    const reports = observations.reports(period)
    if (reports.length === 0) return announceDraw(period)
    // The salt is stored before its commitment is sent: a monitor that is killed here commits to the same again.
    if (!observations.report(period)) {
      const { root } = await buildReportTree(period, reports)
      observations.putReport(period, root, `0x${randomBytes(32).toString('hex')}`)
    }
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
    // Read every time: after a reorg, the chain may no longer have what was revealed.
    const known = await client.readContract({ ...contract, functionName: 'rootOf', args: [account.address, BigInt(period)] })
    if (known === zeroHash) await send('reveal', [BigInt(period), kept.root, kept.salt])
  }

  /** The share of the commission arrives at the validator of the market; whoever comes first passes it on to the pool. */
  const fund = async (): Promise<void> => {
    const credit = { address: addresses.credit, abi: creditAbi } as const
    const arrived = await client.readContract({ ...credit, functionName: 'balanceOf', args: [findings] })
    if (arrived > 0n) await send('fund', [])
  }

  const submit = async (period: number, open: readonly OpenFinding[]): Promise<void> => {
    const published = await readVotes(period)
    const held = await client.readContract({ ...contract, functionName: 'monitorsIn', args: [BigInt(period)] })
    const through = new Set(held.map(lowerCaseAddress))
    for (const { provider, nodeId, market, orderId, finding } of open) {
      const args = [provider, nodeId, BigInt(period)] as const
      const [drawn, candidates] = await client.readContract({ ...contract, functionName: 'drawOf', args })
      const all = published.filter(({ monitor }) => through.has(monitor) && !isAddressEqual(monitor, provider))
      const some = all.filter(({ monitor }) => drawn.some((one) => isAddressEqual(one, monitor)))
      // The votes of all cost a multiple: they are for what those drawn keep silent about.
      for (const [voters, needed] of [
        [some, neededVotes(drawn.length)],
        [all, neededVotes(Number(candidates))],
      ] as const) {
        const votes = voters.flatMap((one) => voteOf(one, market, orderId) ?? []).filter(({ report }) => report.down !== 0n)
        votes.sort((a, b) => (BigInt(a.monitor) < BigInt(b.monitor) ? -1 : 1))
        const agreed = agreedDown(
          votes.map(({ report }) => report.down),
          needed,
        )
        if ((agreed & ~(finding.down | finding.contested)) === 0n) continue
        if ((await send('submit', [market, orderId, BigInt(period), votes])) === 'sent')
          log.info({ orderId: String(orderId), period, votes: votes.length }, 'downtime was found')
        break
      }
    }
  }

  const prove = async (period: number, open: readonly OpenFinding[]): Promise<void> => {
    for (const { orderId, finding, wrong } of open)
      for (const { epochs, args } of wrong)
        if ((epochs & ~finding.proven) !== 0n && (await send('proveWrongImage', args)) === 'sent')
          log.info({ orderId: String(orderId), period }, 'another image ran than was promised')
  }

  const credit = async (period: number, open: readonly OpenFinding[]): Promise<void> => {
    for (const { market, orderId, finding } of open) {
      if (finding.finalAt === 0 || now() < finding.finalAt || (finding.down | finding.proven) === 0n) continue
      const key = [market, orderId, BigInt(period)] as const
      // If the Market no longer accepts the credit, for example because the order has ended, the finding is only finished, for the record.
      if (!finding.counted && (await send('credit', key)) === 'refused') await send('finish', key)
      if (finding.counted) await tellMarket(market, orderId)
    }
  }

  /** Anybody, above all the provider, could finish a finding without notifying the Market: the order would then pay for its downtime. */
  const tellMarket = async (market: Address, orderId: bigint): Promise<void> => {
    const { total, asOf } = await client.readContract({
      ...{ address: findings, abi: findingsAbi, functionName: 'downtimeOf' },
      args: [market, orderId],
    })
    const signature = encodeAbiParameters(parseAbiParameters('uint64, uint32, uint40'), [orderId, total, asOf])
    await send('creditDowntime', [orderId, total, asOf, signature], market)
  }

  return async (): Promise<void> => {
    const present = calendar.periodAt(now())
    for (let period = present - 1; period >= present - OPEN_PERIODS; period -= 1) {
      const since = now() - calendar.endOf(period)
      if (since < schedule.settleSeconds) continue
      if (period === present - 1) await draw(period + 2)
      if (since < calendar.windowSeconds) await commit(period)
      else if (since < 2 * calendar.windowSeconds) {
        await fund()
        await reveal(period)
        await fetchPeers(period)
      } else {
        await earn(period)
        const open = await openFindings(period)
        if (open.length === 0) continue
        await submit(period, open)
        await prove(period, open)
        await credit(period, open)
      }
    }
  }
}
