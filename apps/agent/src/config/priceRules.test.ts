import type { NodeInput } from '@rackfair/rules/formRules'
import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { applyRules, type PricePart, priceRules } from './priceRules.ts'

const node: NodeInput = {
  ...{ cpuModel: 'EPYC', nCPU: 1, core: 8, pCPU: parseEther('40'), gpuModel: 'RTX 4090', nGPU: 2, pGPU: parseEther('133') },
  ...{ nMEM: 64, pMEM: parseEther('0.125'), nDISK: 0, pDISK: 0n },
}
const gpu = { part: 'gpu', percent: -5, min: '100', max: '200' } as const
const rulesOf = (change: object = {}, ...rules: object[]) =>
  priceRules.parse({ maxStepPercent: 100, rules: rules.length > 0 ? rules : [gpu], ...change })
const others = (prices: Partial<Record<PricePart, readonly string[]>>) => (part: PricePart) =>
  (prices[part] ?? []).map((text) => parseEther(text))
const toOf = (rules: ReturnType<typeof rulesOf>, prices: Partial<Record<PricePart, readonly string[]>>, of = node) =>
  applyRules(of, rules, others(prices)).changes.map(({ part, toWei }) => [part, toWei])

describe('a price rule', () => {
  it('targets the median of others plus a percentage', () => {
    expect(toOf(rulesOf(), { gpu: ['120', '140', '400'] })).toEqual([])
    expect(toOf(rulesOf(), { gpu: ['120', '120', '400'] })).toEqual([['gpu', parseEther('114')]])
    expect(toOf(rulesOf(), { gpu: ['120.11', '120.11', '400', '500'] })).toEqual([['gpu', parseEther('114.1')]])
  })

  it('never exceeds its bounds, nor its maximum step', () => {
    expect(toOf(rulesOf(), { gpu: ['1', '1', '1'] })).toEqual([['gpu', parseEther('100')]])
    expect(toOf(rulesOf(), { gpu: ['900', '900', '900'] })).toEqual([['gpu', parseEther('200')]])
    expect(toOf(rulesOf({ maxStepPercent: 10 }), { gpu: ['1', '1', '1'] })).toEqual([['gpu', parseEther('119.7')]])
    expect(toOf(rulesOf({ maxStepPercent: 10 }), { gpu: ['900', '900', '900'] })).toEqual([['gpu', parseEther('146.3')]])
  })

  it('changes nothing with fewer than three other offers, or by less than one percent', () => {
    expect(toOf(rulesOf(), { gpu: ['1', '1'] })).toEqual([])
    expect(toOf(rulesOf({}, { ...gpu, percent: 0 }), { gpu: ['134', '134', '134'] })).toEqual([])
  })

  it('applies to the model that it names, and the first match wins', () => {
    const rules = rulesOf({}, { ...gpu, model: 'H100', min: '1' }, { ...gpu, model: 'rtx 4090', percent: 10 }, gpu)
    expect(toOf(rules, { gpu: ['100', '100', '100'] })).toEqual([['gpu', parseEther('110')]])
    const memory = { part: 'memory', percent: 0, min: '0.05', max: '1' }
    expect(toOf(rulesOf({}, memory), { memory: ['0.1', '0.1111111111', '0.2'] })).toEqual([['memory', parseEther('0.111111111')]])
    expect(toOf(rulesOf({}, { ...memory, part: 'disk' }), { disk: ['1', '1', '1'] })).toEqual([])
  })

  it.each([
    ['no rule', { rules: [] }],
    ['a minimum above its maximum', { rules: [{ ...gpu, min: '201' }] }],
    ['a price as a number', { rules: [{ ...gpu, min: 100 }] }],
    ['a price of nothing', { rules: [{ ...gpu, min: '0' }] }],
    ['an unknown part', { rules: [{ ...gpu, part: 'fan' }] }],
    ['a field that is not known', { rules: [{ ...gpu, floor: '1' }] }],
    ['changes without a pause', { everyHours: 0, rules: [gpu] }],
  ])('is refused with %s', (_, wrong) => expect(priceRules.safeParse(wrong).success).toBe(false))
})
