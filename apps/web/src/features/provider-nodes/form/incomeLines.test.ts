import { checkNodeFields, type NodeFields } from '@rackfair/rules/formRules'
import { parseCredit } from '@rackfair/rules/money'
import { ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { describe, expect, it } from 'vitest'
import { incomeLines } from './incomeLines.ts'
import { EMPTY_NODE } from './nodeDraft.ts'

const usd = (text: string) => parseCredit(text) as bigint
const node: NodeFields = {
  cpuModel: 'EPYC 7402',
  nCPU: '2',
  core: '24',
  pCPU: '43.5',
  gpuModel: 'RTX 4090',
  nGPU: '2',
  pGPU: '133',
  diskTb: '1.5',
  pDISKPerTb: '6',
  memGb: '128',
  pMEM: '0.125',
}

describe('the monthly income', () => {
  it('is what the contract will charge, to the wei', () => {
    const checked = checkNodeFields(node)
    if (!('input' in checked)) throw new Error('the node is valid')
    expect(incomeLines(node).totalWei).toBe(ratePerMonthWei(checked.input, checked.input))
  })
  it('shows a line for each part that is valid already', () => {
    expect(incomeLines(EMPTY_NODE)).toEqual({ lines: [], totalWei: 0n, medianWei: undefined })
    const half = incomeLines({ ...node, pGPU: '1e3', memGb: '', diskTb: '1.2345' })
    expect(half.lines.map((line) => line.kind)).toEqual(['cpu'])
    expect(half.totalWei).toBe(usd('87'))
  })
  it('compares with the medians only when every part has one', () => {
    expect(incomeLines(node, prices).medianWei).toBe(usd('80') + usd('240') + usd('12.8') + usd('7.5'))
    expect(incomeLines({ ...node, gpuModel: 'Unheard of' }, prices).medianWei).toBeUndefined()
    expect(incomeLines({ ...node, gpuModel: 'rtx 4090 ' }, prices).medianWei).toBeDefined()
  })
})

const entry = (kind: 'cpu' | 'gpu' | 'mem' | 'disk', model: string, unit: string) => ({
  kind,
  model,
  nodes: 3,
  minUnitWei: 0n,
  medianUnitWei: usd(unit),
  cheapestIdleWei: null,
})
const prices = [
  entry('cpu', 'EPYC 7402', '40'),
  entry('gpu', 'RTX 4090', '120'),
  entry('mem', '', '0.1'),
  entry('disk', '', '0.005'),
]
