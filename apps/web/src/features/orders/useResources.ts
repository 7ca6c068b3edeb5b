import type { Order } from '@rackfair/rules/order/order'
import { priceLines } from '@rackfair/rules/prices/priceLines'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { orderMessages } from './messages.ts'

/** What the order holds of its machine: one line a resource with its price over `months`, its amount and its model in words. */
export function useResources({ prices, resources, gpuModel, cpuModel, core }: Order, months: number) {
  const text = useMessages(orderMessages)
  const format = useFormat()
  const { nGPU, nCPU, nMEM, nDISK } = resources
  const words = {
    gpu: { amount: format.number(nGPU), model: gpuModel },
    cpu: { amount: format.number(nCPU), model: text.modelCores(cpuModel, nCPU * core) },
    memory: { amount: format.gigabytes(nMEM), model: '' },
    storage: { amount: format.storage(nDISK), model: '' },
  }
  return priceLines(resources, prices, months).map((line) => ({ ...line, ...words[line.kind] }))
}
