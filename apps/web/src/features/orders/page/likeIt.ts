import { encodeList } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'

/** The address of a list of machines like the one of an order: idle, of the same GPU, or of the same CPU where it has none. */
export function likeIt({ r, gpuModel, cpuModel }: Pick<OrderWire, 'r' | 'gpuModel' | 'cpuModel'>): string {
  const query = new URLSearchParams({ idle: 'true' })
  if (r.nGPU > 0) query.set('gpu', encodeList([gpuModel]))
  else if (r.nCPU > 0) query.set('cpu', encodeList([cpuModel]))
  return `/nodelist?${query}`
}
