import { expect, it } from 'vitest'
import { type MarketModels, withModels } from './modelsInText.ts'
import { NO_FILTER, understood } from './nodeFilter.ts'

const MARKET: MarketModels = {
  gpu: ['RTX 4090', 'NVIDIA GeForce RTX 4090', 'RTX 4090 D', 'RTX 3080', 'RTX 3080 Ti', 'A100 80GB', 'A100 40GB', 'Own Card'],
  cpu: ['EPYC 7402', 'Xeon Silver 4316'],
}
const chosen = (typed: string, models = MARKET) => {
  const { text, gpu, cpu, minVram, minGpus } = withModels(understood({ ...NO_FILTER, text: typed }), models)
  return { text, gpu, cpu, minVram, minGpus }
}
const nothing = { text: '', gpu: [], cpu: [], minVram: 0, minGpus: 0 }

it.each([
  ['2x rtx 4090', { minGpus: 2, gpu: ['RTX 4090', 'NVIDIA GeForce RTX 4090'] }],
  ['4090', { gpu: ['RTX 4090', 'NVIDIA GeForce RTX 4090'] }],
  ['rtx 4090 d', { gpu: ['RTX 4090 D'] }],
  ['rtx3080ti', { gpu: ['RTX 3080 Ti'] }],
  ['rtx 3080 and rtx 3080 ti', { gpu: ['RTX 3080', 'RTX 3080 Ti'] }],
  ['a100', { gpu: ['A100 80GB', 'A100 40GB'] }],
  ['a100 80gb', { minVram: 80, gpu: ['A100 80GB', 'A100 40GB'] }],
  ['epyc 7402 helios', { cpu: ['EPYC 7402'], text: 'helios' }],
  ['OWN CARD', { gpu: ['Own Card'] }],
  // Parts of names, and what nobody offers.
  ['rtx', { text: 'rtx' }],
  ['epyc', { text: 'epyc' }],
  ['rtx 5090', { gpu: ['RTX 5090'] }],
  ['nvidia-a100-80gb', { minVram: 80, gpu: ['A100 80GB', 'A100 40GB'] }],
])('%s', (typed, expected) => expect(chosen(typed)).toEqual({ ...nothing, ...expected }))

it('stays within the platform’s limits', () => {
  const many = Array.from({ length: 30 }, (_, index) => `H100 ${index + 10}GB`)
  expect(chosen('h100', { gpu: many, cpu: [] }).gpu).toHaveLength(10)
})

it('keeps earlier choices', () => {
  const filter = understood({ ...NO_FILTER, gpu: ['RTX 3080'], text: 'RTX 4090' })
  expect(withModels(filter, MARKET)).toMatchObject({ text: '', gpu: ['RTX 3080', 'RTX 4090', 'NVIDIA GeForce RTX 4090'] })
})
