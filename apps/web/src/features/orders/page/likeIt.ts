import type { Order } from '@rackfair/rules/order/order'
import { encodeList } from '@rackfair/rules/text/queryList'

/** The address of a list of machines like the one of an order: idle, of the same GPU, or of the same CPU where it has none. */
export function likeIt({ resources, gpuModel, cpuModel }: Pick<Order, 'resources' | 'gpuModel' | 'cpuModel'>): string {
  const query = new URLSearchParams({ idle: 'true' })
  if (resources.nGPU > 0) query.set('gpu', encodeList([gpuModel]))
  else if (resources.nCPU > 0) query.set('cpu', encodeList([cpuModel]))
  return `/nodelist?${query}`
}
