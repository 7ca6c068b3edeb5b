import { CPU_PRESETS, GPU_PRESETS, PRESET_IDS } from '@rackfair/rules/presets'
import { expect, test } from 'vitest'
import { errorTable } from './inserts/errorTable.ts'
import { presetTable } from './inserts/presetTable.ts'
import { priceList } from './inserts/priceList.ts'
import { refundExamples } from './inserts/refundExamples.ts'

test('uses the price lists of the specification', () => {
  const prices = (list: typeof GPU_PRESETS) => list.map(({ model, usdPerMonth }) => `${model} ${usdPerMonth}`)
  expect(prices(GPU_PRESETS)).toEqual([
    'RTX 4090 133',
    'RTX 4080 139',
    'RTX 3090 118',
    'RTX 3080 Ti 81',
    'RTX 3080 62',
    'RTX 3070 40',
    'RTX 2080 41',
    'RTX 2060 25',
  ])
  expect(prices(CPU_PRESETS)).toEqual([
    'Xeon Platinum 8380 266',
    'Xeon Platinum 8376HL 358',
    'Xeon Platinum 8358 358',
    'Xeon Platinum 8280 834',
    'Xeon Gold 6258R 329',
    'Xeon Gold 6238R 329',
    'Xeon Gold 6226R 87',
    'Xeon Silver 4316 43',
    'Xeon Silver 4216 43',
    'Xeon Silver 4214R 43',
  ])
  expect(priceList('en', 'gpu')).toContain('| RTX 4090 | 133 |')
  expect(priceList('zh', 'cpu')).toContain('| Xeon Silver 4316 | 43 |')
})

test('lists the applications of the catalogue with their numbers', () => {
  const lines = presetTable('en').split('\n').slice(2)
  for (const [name, id] of Object.entries(PRESET_IDS)) {
    expect(lines.find((line) => line.startsWith(`| ${id} |`))).toContain(`(\`${name}\`)`)
  }
  expect(lines).toHaveLength(Object.keys(PRESET_IDS).length)
})

test('explains every code in both languages', () => {
  for (const origin of ['contracts', 'platform', 'agent', 'workspace', 'wallet']) {
    const codes = (language: 'en' | 'zh') =>
      errorTable(language, origin)
        .split('\n')
        .slice(2)
        .map((line) => line.split(' | ')[0])
    expect(codes('zh')).toEqual(codes('en'))
    for (const line of errorTable('zh', origin).split('\n').slice(2)) expect(line).toMatch(/\p{Script=Han}/u)
  }
})

test('states the refunds of an order of 200 USD as the contract pays them', () => {
  const rows = refundExamples('en')
    .split('\n')
    .slice(2)
    .map((line) => line.split(' | ').slice(1).join(' '))
  expect(rows).toEqual([
    '200.00 0.00 0.00 |',
    '199.958333 0.041666 0.00 |',
    '199.861111 0.138888 0.00 |',
    '133.333333 66.666666 0.00 |',
    '140.00 66.666666 6.666666 |',
    '200.277777 0.00 0.277777 |',
    '0.00 200.00 0.00 |',
  ])
})
