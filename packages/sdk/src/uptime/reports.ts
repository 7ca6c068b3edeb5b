import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { type Entry, type ReportTree, rootFrom, treeSteps } from './reportTree.ts'
import { atOnce, type Steps, withPauses } from './steps.ts'

/** What a monitor observed of an order in the 96 epochs of a period; bit i is epoch i. `down` is a subset of `observed`. */
export interface DowntimeReport {
  market: Address
  orderId: bigint
  observed: bigint
  down: bigint
}

const PLACE = parseAbiParameters('address, uint64')
const LEAF = parseAbiParameters('address, uint64, uint64, uint96, uint96')
const COMMITMENT = parseAbiParameters('address, uint64, bytes32, bytes32')

/** The place of an order in the tree of every monitor. */
export const placeOf = ({ market, orderId }: Pick<DowntimeReport, 'market' | 'orderId'>): Hex =>
  keccak256(encodeAbiParameters(PLACE, [market, orderId]))

/** The place of a report, and its leaf, hashed twice so that no inner node passes for a leaf. */
function reportEntry(period: number, report: DowntimeReport): Entry {
  const { market, orderId, observed, down } = report
  return {
    key: placeOf(report),
    leaf: keccak256(keccak256(encodeAbiParameters(LEAF, [market, orderId, BigInt(period), observed, down]))),
  }
}

/**
 * The tree of a monitor's reports over one period.
 * @throws Error for an empty list, as a monitor that observed no order has nothing to commit to, and for two reports of one order.
 */
export const reportTree = (period: number, reports: readonly DowntimeReport[]): ReportTree => atOnce(reportSteps(period, reports))

/** The same tree, built while the thread does other work too: 100,000 reports take it seconds. */
export const buildReportTree = (period: number, reports: readonly DowntimeReport[]): Promise<ReportTree> =>
  withPauses(reportSteps(period, reports))

function* reportSteps(period: number, reports: readonly DowntimeReport[]): Steps<ReportTree> {
  const entries: Entry[] = []
  for (const report of reports) {
    entries.push(reportEntry(period, report))
    yield
  }
  return yield* treeSteps(entries)
}

/** The root computed from a report and its proof, as the contract does. */
export function rootReachedBy(period: number, report: DowntimeReport, proof: readonly Hex[]): Hex {
  return rootFrom(reportEntry(period, report), proof)
}

/** What a monitor commits to before it reveals `root`. `salt` is 32 random bytes that stay secret until then. */
export function reportCommitment(monitor: Address, period: number, root: Hex, salt: Hex): Hex {
  return keccak256(encodeAbiParameters(COMMITMENT, [monitor, BigInt(period), root, salt]))
}
