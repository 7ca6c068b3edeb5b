import { reportsAnswer } from '@rackfair/protocol/uptime'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { Hex } from 'viem'
import { askMonitor } from './askMonitor.ts'
import { buildReportTree, type DowntimeReport, reportTree } from './reports.ts'
import type { ReportTree } from './reportTree.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** What a monitor observed of every order in a period, in the order of its tree. */
export interface PublishedReports {
  monitor: LowerCaseAddress
  period: number
  reports: (DowntimeReport & { market: LowerCaseAddress })[]
}

/** The body of `GET /v1/reports/{period}`: bitmaps in hex. */
export function writeReports({ monitor, period, reports }: PublishedReports): string {
  const hex = (bits: bigint) => `0x${bits.toString(16)}`
  return JSON.stringify({
    monitor,
    period,
    reports: reports.map(({ market, orderId, observed, down }) => ({
      ...{ market, orderId: String(orderId), observed: hex(observed), down: hex(down) },
    })),
  })
}

/**
 * Fetches what a monitor of the chain publishes at its URL. Does not compare it with the root on the chain.
 * @throws Error if there is no well-formed answer within ten seconds and 16 MiB.
 * @example await fetchReports('https://monitor.example', 985, 7)
 */
export async function fetchReports(peer: string, chainId: number, period: number): Promise<PublishedReports> {
  const read = reportsAnswer.parse(await askMonitor(peer, `/v1/reports/${period}`, chainId, MAX_BYTES))
  if (read.period !== period) throw new Error(`${peer} answers for another period`)
  const reports = read.reports.map(({ market, orderId, observed, down }) => ({
    ...{ market: lowerCaseAddress(market), orderId: BigInt(orderId), observed: BigInt(observed), down: BigInt(down) },
  }))
  return { monitor: lowerCaseAddress(read.monitor), period, reports }
}

const trees = new WeakMap<PublishedReports, ReportTree>()

/** Whether what a monitor published has the root that it revealed. Builds the tree that `voteOf` then needs. */
export async function isUnderRoot(published: PublishedReports, root: Hex): Promise<boolean> {
  // Two reports of one order have no tree.
  const tree = trees.get(published) ?? (await buildReportTree(published.period, published.reports).catch(() => undefined))
  if (tree) trees.set(published, tree)
  return tree?.root === root
}

function treeOf(published: PublishedReports): ReportTree {
  const tree = trees.get(published) ?? reportTree(published.period, published.reports)
  trees.set(published, tree)
  return tree
}

/** The report of one order with its proof, as `Monitors.submit` takes it; undefined if the monitor observed nothing of it. */
export function voteOf(published: PublishedReports, market: LowerCaseAddress, orderId: bigint) {
  const { monitor, reports } = published
  const index = reports.findIndex((one) => one.orderId === orderId && one.market === market)
  const report = reports[index]
  if (!report) return undefined
  const proof: Hex[] = treeOf(published).proof(index)
  return { monitor, report: { observed: report.observed, down: report.down }, proof }
}
export type Vote = NonNullable<ReturnType<typeof voteOf>>
