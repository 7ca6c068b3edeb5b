import { checkNodeFields } from '@rackfair/rules/formRules'
import { readNodeOffer } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { describe, expect, it } from 'vitest'
import { missingParts } from './missingParts.ts'
import { EMPTY_NODE, fieldsOfNode, withModel } from './nodeDraft.ts'

describe('choosing a model', () => {
  it('fills in the price of the preset', () => {
    expect(withModel(EMPTY_NODE, 'cpu', 'Xeon Silver 4316', true)).toMatchObject({ cpuModel: 'Xeon Silver 4316', pCPU: '43' })
    expect(withModel(EMPTY_NODE, 'gpu', 'RTX 4090', true)).toMatchObject({ gpuModel: 'RTX 4090', pGPU: '133', nGPU: '1' })
  })
  it('keeps price and number for free text', () => {
    const priced = { ...EMPTY_NODE, pGPU: '7', nGPU: '4' }
    expect(withModel(priced, 'gpu', 'RTX 4090', false)).toMatchObject({ gpuModel: 'RTX 4090', pGPU: '7', nGPU: '4' })
    expect(withModel(priced, 'gpu', 'My own card', true)).toMatchObject({ gpuModel: 'My own card', pGPU: '7', nGPU: '4' })
  })
})

it('edits a listed node without changing a digit', () => {
  const result = checkNodeFields(fieldsOfNode(listed))
  expect(result).toEqual({
    input: {
      cpuModel: 'EPYC 7402',
      gpuModel: 'RTX 4090',
      nCPU: 2,
      core: 24,
      nGPU: 2,
      nMEM: 128,
      nDISK: 1500,
      pCPU: 43_000_000_001n * 10n ** 9n,
      pGPU: 133n * 10n ** 18n,
      pMEM: 125n * 10n ** 15n,
      pDISK: 6n * 10n ** 15n,
    },
  })
})

const listed = readNodeOffer(
  nodeAnswer({
    cpu: { model: 'EPYC 7402', core: 24, num: 2, priceMon: '43000000001000000000', priceSec: '0' },
    gpu: { model: 'RTX 4090', num: 2, priceMon: '133000000000000000000', priceSec: '0' },
    mem: { num: 128, priceMon: '125000000000000000', priceSec: '0' },
    disk: { num: 1500, priceMon: '6000000000000000', priceSec: '0' },
  }),
)

describe('what a machine lacks', () => {
  const machine = { ...EMPTY_NODE, nGPU: '1', memGb: '64', diskTb: '1' }
  it.each([
    [{}, [], []],
    [{ memGb: '0' }, ['memory'], ['memory']],
    [{ diskTb: '0.0' }, ['storage'], ['storage']],
    [{ memGb: '0', diskTb: '0' }, ['memory', 'storage'], ['memory', 'storage']],
    [{ memGb: '', diskTb: ' ' }, [], ['memory', 'storage']],
    [{ nCPU: '0' }, ['cpu'], ['cpu']],
    [{ nCPU: '' }, [], ['cpu']],
    [{ memGb: '0', nGPU: '0' }, [], []],
    [{ memGb: '0', nGPU: '', nCPU: '2', core: '8' }, ['memory'], ['memory']],
  ] as const)('%j: %j, once it is sent %j', (change, typed, sent) => {
    expect(missingParts({ ...machine, ...change }, false)).toEqual(typed)
    expect(missingParts({ ...machine, ...change }, true)).toEqual(sent)
  })
})
