import type { NodeOffer } from '@rackfair/rules/node/node'
import { readNodeOffer } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { describe, expect, it } from 'vitest'
import { bestOf, comparedValue } from './comparison.ts'
import { priceIn } from './priceUnit.ts'

const machine = (change: { rate?: bigint; gpus?: number; model?: string; memory?: number }): NodeOffer => ({
  ...readNodeOffer(nodeAnswer()),
  ratePerMonthWei: (change.rate ?? 720n) * 10n ** 18n,
  gpu: { count: change.gpus ?? 1, model: change.model ?? 'RTX 4090' },
  cpu: { model: '', count: 2, cores: 8 },
  memoryGb: change.memory ?? 64,
})

describe('the price in a unit', () => {
  it('is an exact share of the monthly price', () => {
    const node = machine({ rate: 1440n, gpus: 4 })
    expect(priceIn('month', node)).toBe(1440n * 10n ** 18n)
    expect(priceIn('hour', node)).toBe(2n * 10n ** 18n)
    expect(priceIn('gpu', node)).toBe(5n * 10n ** 17n)
  })
  it('is undefined per GPU for a machine without one', () => expect(priceIn('gpu', machine({ gpus: 0 }))).toBeUndefined())
})

describe('the best value of a row', () => {
  it('is the lowest price and the maximum of everything else', () => {
    const nodes = [machine({ rate: 300n, memory: 64 }), machine({ rate: 200n, memory: 128 }), machine({ rate: 200n, memory: 32 })]
    expect(bestOf('perMonth', nodes)).toEqual([false, true, true])
    expect(bestOf('memory', nodes)).toEqual([false, true, false])
  })
  it('is not marked when all are equal or there is nothing to compare', () => {
    expect(bestOf('storage', [machine({}), machine({})])).toEqual([false, false])
    expect(bestOf('perGpu', [machine({ gpus: 0 }), machine({ rate: 5n })])).toEqual([false, true])
  })
  it('adds up the memory of all GPUs, and ignores unknown models', () => {
    expect(comparedValue('vram', machine({ gpus: 4 }))).toBe(96n)
    expect(comparedValue('vram', machine({ gpus: 4, model: 'Unheard-of' }))).toBeUndefined()
    expect(comparedValue('vram', machine({ gpus: 0 }))).toBe(0n)
    expect(comparedValue('cores', machine({}))).toBe(16n)
  })
})
