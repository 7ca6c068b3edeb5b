import { priceLines } from '@rackfair/core'
import type { OrderWire } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { orderMessages } from './messages.ts'

/** What the order holds of its machine: one line a resource with its price over `months`, its amount and its model in words. */
export function useResources({ p, r, gpuModel, cpuModel, core }: OrderWire, months: number) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const prices = { pCPU: BigInt(p.pCPU), pGPU: BigInt(p.pGPU), pMEM: BigInt(p.pMEM), pDISK: BigInt(p.pDISK) }
  const words = {
    gpu: { amount: format.number(r.nGPU), model: gpuModel },
    cpu: { amount: format.number(r.nCPU), model: text.modelCores(cpuModel, r.nCPU * core) },
    memory: { amount: format.gigabytes(r.nMEM), model: '' },
    storage: { amount: format.storage(r.nDISK), model: '' },
  }
  return priceLines(r, prices, months).map((line) => ({ ...line, ...words[line.kind] }))
}
