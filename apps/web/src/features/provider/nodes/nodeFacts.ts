import type { NodeWire } from '@rackfair/core/wire'

/** A node under the names that the texts of its parts take. */
export const nodeFacts = (node: NodeWire) => ({
  id: node.id,
  cpuModel: node.cpu.model,
  nCPU: node.cpu.num,
  core: node.cpu.core,
  gpuModel: node.gpu.model,
  nGPU: node.gpu.num,
  nMEM: node.mem.num,
  nDISK: node.disk.num,
})
