import type { NodeFacts } from './node.ts'

/** `provider name-index`: node ids start at 1, so the id is the specification's 1-based node index and never moves. */
export function nodeName(providerName: string, nodeId: number): string {
  return `${providerName}-${nodeId}`
}

/** `2 × Xeon Silver 4316`, or an empty text for a node without CPU. */
export function cpuText(node: NodeFacts): string {
  return node.nCPU === 0 ? '' : `${node.nCPU} × ${node.cpuModel}`
}

/** `2 × RTX 4090`, or an empty text for a node without GPU. */
export function gpuText(node: NodeFacts): string {
  return node.nGPU === 0 ? '' : `${node.nGPU} × ${node.gpuModel}`
}

/** `128 G`. */
export function memText(node: Pick<NodeFacts, 'nMEM'>): string {
  return `${node.nMEM} G`
}

/** `1.5 T`: storage is stored in GB and shown in TB of 1000 GB. */
export function diskText(node: Pick<NodeFacts, 'nDISK'>): string {
  return `${gbToTb(node.nDISK)} T`
}

/** GB to the decimal text of TB (1 TB = 1000 GB), exact. */
export function gbToTb(gb: number): string {
  const whole = Math.floor(gb / 1000)
  const rest = String(gb % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return rest === '' ? String(whole) : `${whole}.${rest}`
}

/** The decimal text of TB to whole GB; `undefined` unless it is a plain decimal with at most three digits after the point. */
export function tbToGb(text: string): number | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,3}))?$/.exec(text.trim())
  if (!match) return undefined
  return Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'))
}
