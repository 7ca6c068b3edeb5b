import type { NodeInput } from '@rackfair/rules/formRules'
import { modelKey } from '@rackfair/rules/gpu/gpuName'
import { ONE_CREDIT_WEI, PRICE_GRANULARITY_WEI, parseCredit } from '@rackfair/rules/money'
import { medianOf } from '@rackfair/rules/prices/median'
import { ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { z } from 'zod'

/** USD, not a binary fraction of one. */
const usd = z.string().refine((text) => (parseCredit(text, 9) ?? 0n) > 0n, 'USD above 0, as text, with at most 9 decimals')

const rule = z
  .strictObject({
    part: z.enum(['cpu', 'gpu', 'memory', 'disk']),
    /** The only model it applies to; every model of this part if omitted. */
    model: z.string().min(1).max(31).optional(),
    /** Offset from the median of other providers' prices: -5 is five percent below it. */
    percent: z.number().int().min(-90).max(900),
    /** USD per unit and month. */
    min: usd,
    max: usd,
  })
  .refine(({ min, max }) => (parseCredit(min) ?? 0n) <= (parseCredit(max) ?? 0n), { path: ['min'], message: 'is above max' })

/** How prices follow the market, in the configuration. */
export const priceRules = z.strictObject({
  /** Minimum hours between two price changes of a node. */
  everyHours: z.number().int().min(1).max(8760).default(24),
  /** Maximum change at a time, in percent. */
  maxStepPercent: z.number().int().min(1).max(100).default(10),
  rules: z.array(rule).min(1).max(100),
})
export type PriceRules = z.infer<typeof priceRules>
export type PricePart = PriceRules['rules'][number]['part']

/** With fewer, a single provider could set the median. */
export const MIN_OTHERS = 3
/** A smaller change is not worth a transaction. */
const LEAST_CHANGE_PERCENT = 1n

/** Other providers' prices for a part, one per provider. */
export type OthersPrices = (part: PricePart, model: string) => readonly bigint[]

export interface PriceChange {
  part: PricePart
  model: string
  fromWei: bigint
  toWei: bigint
  medianWei: bigint
  /** Number of providers behind the median. */
  others: number
}

const PARTS = {
  cpu: { price: 'pCPU', count: 'nCPU', model: 'cpuModel' },
  gpu: { price: 'pGPU', count: 'nGPU', model: 'gpuModel' },
  memory: { price: 'pMEM', count: 'nMEM', model: undefined },
  disk: { price: 'pDISK', count: 'nDISK', model: undefined },
} as const

/** Applies the rules to a node's prices. The first matching rule of a part applies; a part without a median keeps its price. */
export function applyRules(node: NodeInput, { rules, maxStepPercent }: PriceRules, othersOf: OthersPrices) {
  const changes: PriceChange[] = []
  const next = { ...node }
  for (const part of Object.keys(PARTS) as PricePart[]) {
    const { price, count, model: modelField } = PARTS[part]
    const model = modelField ? node[modelField] : ''
    const mine = rules.find((one) => one.part === part && (one.model === undefined || isSameModel(part, one.model, model)))
    if (!mine || node[count] === 0) continue
    const others = othersOf(part, model)
    const medianWei = medianOf(others)
    if (medianWei === undefined || others.length < MIN_OTHERS) continue
    const fromWei = node[price]
    const wanted = within(
      (medianWei * BigInt(100 + mine.percent)) / 100n,
      parseCredit(mine.min) ?? 0n,
      parseCredit(mine.max) ?? 0n,
    )
    const toWei = round(stepTowards(fromWei, wanted, BigInt(maxStepPercent)))
    if (difference(fromWei, toWei) * 100n < fromWei * LEAST_CHANGE_PERCENT || toWei === fromWei) continue
    next[price] = toWei
    changes.push({ part, model, fromWei, toWei, medianWei, others: others.length })
  }
  return ratePerMonthWei(next, next) > 0n ? { next, changes } : { next: node, changes: [] }
}

/** Whether two names are of the same model, by the key of the market's medians. Memory and storage have none. */
export function isSameModel(part: PricePart, one: string, other: string): boolean {
  return modelKey(part, one) === modelKey(part, other)
}

const within = (wei: bigint, min: bigint, max: bigint): bigint => (wei < min ? min : wei > max ? max : wei)
const difference = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/** A price of 0 has no percentage step, and moves to its target at once. */
function stepTowards(from: bigint, to: bigint, percent: bigint): bigint {
  if (from === 0n) return to
  const step = (from * percent) / 100n
  return within(to, from - step, from + step)
}

/** Rounds to whole cents from a dollar on, else to the chain's precision. */
function round(wei: bigint): bigint {
  const unit = wei >= ONE_CREDIT_WEI ? ONE_CREDIT_WEI / 100n : PRICE_GRANULARITY_WEI
  return (wei / unit) * unit
}
