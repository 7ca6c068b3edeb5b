import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { type MerkleTree, merkleSteps, parentOf } from './merkleTree.ts'
import { atOnce, type Steps, withPauses } from './steps.ts'

/** What a monitor observed of an order in the 96 epochs of a period; bit i is epoch i. `down` is a subset of `observed`. */
export interface DowntimeReport {
  market: Address
  orderId: bigint
  observed: bigint
  down: bigint
}

const LEAF = parseAbiParameters('address, uint64, uint64, uint96, uint96')
const COMMITMENT = parseAbiParameters('address, uint64, bytes32, bytes32')

/** The leaf of a report under its monitor's root, hashed twice so that no inner node passes for a leaf. */
export function reportLeaf(period: number, { market, orderId, observed, down }: DowntimeReport): Hex {
  return keccak256(keccak256(encodeAbiParameters(LEAF, [market, orderId, BigInt(period), observed, down])))
}

/**
 * The Merkle tree of a monitor's reports over one period.
 * @throws Error for an empty list: a monitor that observed no order has nothing to commit to.
 */
export const reportTree = (period: number, reports: readonly DowntimeReport[]): MerkleTree => atOnce(reportSteps(period, reports))

/** The same tree, built while the thread does other work too: 100,000 reports take it seconds. */
export const buildReportTree = (period: number, reports: readonly DowntimeReport[]): Promise<MerkleTree> =>
  withPauses(reportSteps(period, reports))

function* reportSteps(period: number, reports: readonly DowntimeReport[]): Steps<MerkleTree> {
  const leaves: Hex[] = []
  for (const report of reports) {
    leaves.push(reportLeaf(period, report))
    yield
  }
  return yield* merkleSteps(leaves)
}

/** The root computed from a report and its proof, as OpenZeppelin's MerkleProof does. */
export function rootReachedBy(period: number, report: DowntimeReport, proof: readonly Hex[]): Hex {
  return proof.reduce((hash, next) => parentOf(hash, next), reportLeaf(period, report))
}

/** What a monitor commits to before it reveals `root`. `salt` is 32 random bytes that stay secret until then. */
export function reportCommitment(monitor: Address, period: number, root: Hex, salt: Hex): Hex {
  return keccak256(encodeAbiParameters(COMMITMENT, [monitor, BigInt(period), root, salt]))
}
