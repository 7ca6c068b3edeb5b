import { priceLines } from '@rackfair/core'
import type { NodeListItem } from '@rackfair/core/wire'

export const resourcesOf = (node: NodeListItem) => ({
  ...{ nCPU: node.cpu.num, nGPU: node.gpu.num, nMEM: node.mem.num, nDISK: node.disk.num },
})

export const pricesOf = (node: NodeListItem) => ({
  pCPU: BigInt(node.cpu.priceMon),
  pGPU: BigInt(node.gpu.priceMon),
  pMEM: BigInt(node.mem.priceMon),
  pDISK: BigInt(node.disk.priceMon),
})

/** What each resource of a machine costs for one month. */
export const linesOf = (node: NodeListItem) => priceLines(resourcesOf(node), pricesOf(node), 1)
