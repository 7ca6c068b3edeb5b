import type { NodeFields } from '@rackfair/rules/formRules'
import { formatCredit } from '@rackfair/rules/money'
import { gbToTb } from '@rackfair/rules/node/name'
import type { MarketNode } from '@rackfair/rules/node/node'
import { CPU_PRESETS, GPU_PRESETS, type ListPrice } from '@rackfair/rules/presets'
import { plainNumber } from '@rackfair/rules/text/plainNumber'

export const EMPTY_NODE: NodeFields = {
  cpuModel: '',
  nCPU: '1',
  core: '',
  pCPU: '',
  gpuModel: '',
  nGPU: '',
  pGPU: '',
  diskTb: '',
  pDISKPerTb: '',
  memGb: '',
  pMEM: '',
}

/** The fields of a node that is on the list, for editing; prices to the last digit. */
export function fieldsOfNode({ cpu, gpu, memoryGb, diskGb, prices }: MarketNode): NodeFields {
  return {
    cpuModel: cpu.model,
    nCPU: String(cpu.count),
    core: String(cpu.cores),
    pCPU: formatCredit(prices.pCPU),
    gpuModel: gpu.model,
    nGPU: String(gpu.count),
    pGPU: formatCredit(prices.pGPU),
    diskTb: gbToTb(diskGb),
    pDISKPerTb: formatCredit(prices.pDISK * 1000n),
    memGb: String(memoryGb),
    pMEM: formatCredit(prices.pMEM),
  }
}

/** A model was typed or chosen; one of the presets fills its price (product specification, point 2). */
export function withModel(fields: NodeFields, kind: 'cpu' | 'gpu', model: string, chosen: boolean): NodeFields {
  const preset = chosen ? presetOf(kind, model) : undefined
  const price = preset === undefined ? undefined : String(preset.usdPerMonth)
  return kind === 'cpu'
    ? { ...fields, cpuModel: model, ...(price === undefined ? {} : { pCPU: price }) }
    : {
        ...fields,
        gpuModel: model,
        ...(price === undefined ? {} : { pGPU: price }),
        ...(chosen && countOf(fields.nGPU) === 0 ? { nGPU: '1' } : {}),
      }
}

function presetOf(kind: 'cpu' | 'gpu', model: string): ListPrice | undefined {
  return (kind === 'cpu' ? CPU_PRESETS : GPU_PRESETS).find((preset) => preset.model === model)
}

function countOf(text: string): number {
  return Number(plainNumber(text))
}
