import type { NodeFields } from '@rackfair/rules/formRules'
import { PRICE_DECIMALS, parseCredit } from '@rackfair/rules/money'
import { tbToGb } from '@rackfair/rules/node/name'
import { plainNumber } from '@rackfair/rules/text/plainNumber'
import type { ModelPrice } from '@rackfair/sdk/http'
import { medianOf, type PriceKind } from '../../../entities/provider/medians.ts'

export interface IncomeLine {
  kind: PriceKind
  /** The amount as typed: processors, GPUs, GB or TB. */
  amount: string
  /** Wei per processor, GPU, GB or TB and month. */
  unitWei: bigint
  totalWei: bigint
}

export interface Income {
  lines: IncomeLine[]
  totalWei: bigint
  /** The same machine at the market's medians; undefined while a part of it has none. */
  medianWei: bigint | undefined
}

/** What the node brings in a month while it is sold, from what has been typed so far; a line that cannot be read yet is left out. */
export function incomeLines(fields: NodeFields, prices?: readonly ModelPrice[]): Income {
  const parts = [
    part('cpu', fields.nCPU, fields.pCPU, fields.cpuModel),
    part('gpu', fields.nGPU, fields.pGPU, fields.gpuModel),
    part('mem', fields.memGb, fields.pMEM, ''),
    part('disk', fields.diskTb, fields.pDISKPerTb, ''),
  ].filter((entry) => entry !== undefined)
  const medians = parts.map((entry) => {
    const median = medianOf(prices, entry.line.kind, entry.model)
    return median && entry.units * median.unitWei
  })
  return {
    lines: parts.map((entry) => entry.line),
    totalWei: parts.reduce((sum, entry) => sum + entry.line.totalWei, 0n),
    medianWei:
      parts.length > 0 && medians.every((wei) => wei !== undefined) ? medians.reduce((sum, wei) => sum + wei, 0n) : undefined,
  }
}

function part(kind: PriceKind, amount: string, price: string, model: string) {
  const disk = kind === 'disk'
  const trimmed = plainNumber(amount)
  const units = disk ? tbToGb(trimmed) : /^\d{1,7}$/.test(trimmed) ? Number(trimmed) : undefined
  const unitWei = parseCredit(price, disk ? PRICE_DECIMALS - 3 : PRICE_DECIMALS)
  if (units === undefined || units === 0 || unitWei === undefined) return undefined
  const totalWei = disk ? BigInt(units) * (unitWei / 1000n) : BigInt(units) * unitWei
  return { units: BigInt(units), model, line: { kind, amount: trimmed, unitWei, totalWei } }
}
