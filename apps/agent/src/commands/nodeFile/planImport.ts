import type { NodeInput } from '@rackfair/rules/formRules'
import type { ChainNode } from '../../chain/read/chainView.ts'
import type { WantedNode } from './readNodeFile.ts'

/** Which label is which node. */
export type Labels = Readonly<Record<string, number>>

export type ImportChange =
  | { kind: 'add'; label: string; input: NodeInput }
  | { kind: 'change'; label: string; nodeId: bigint; input: NodeInput }
  | { kind: 'same'; label: string; nodeId: bigint }
  /** A sold node cannot change: its buyer has paid for it as it is. */
  | { kind: 'sold'; label: string; nodeId: bigint; orderId: bigint }

/** The changes that bring the provider's nodes in line with the file. Nodes that the file does not name stay as they are. */
export function planImport(wanted: readonly WantedNode[], listed: readonly ChainNode[], labels: Labels): ImportChange[] {
  const known = adoptLabels(wanted, listed, labels)
  return wanted.map(({ label, input }): ImportChange => {
    const node = listed.find(({ id }) => Number(id) === known[label])
    if (!node) return { kind: 'add', label, input }
    if (isSame(input, node)) return { kind: 'same', label, nodeId: node.id }
    return node.sold
      ? { kind: 'sold', label, nodeId: node.id, orderId: node.orderId }
      : { kind: 'change', label, nodeId: node.id, input }
  })
}

/**
 * The labels of existing nodes. An unknown label is assigned to an unlabelled node identical to its line: this recovers labels after a
 * crash, and after the provider's wallet on another machine has sent an import's transactions.
 */
export function adoptLabels(wanted: readonly WantedNode[], listed: readonly ChainNode[], labels: Labels): Labels {
  const there = new Set(listed.map(({ id }) => Number(id)))
  const known: Record<string, number> = {}
  for (const [label, id] of Object.entries(labels)) if (there.has(id)) known[label] = id
  for (const { label, input } of wanted) {
    if (known[label] !== undefined) continue
    const taken = new Set(Object.values(known))
    const twin = listed.toSorted((a, b) => Number(a.id - b.id)).find((node) => !taken.has(Number(node.id)) && isSame(input, node))
    if (twin) known[label] = Number(twin.id)
  }
  return known
}

export const isSame = (one: NodeInput, other: NodeInput): boolean =>
  (Object.keys(one) as (keyof NodeInput)[]).every((key) => one[key] === other[key])
