import { expect, it } from 'vitest'
import { shownModels } from './shownModels.ts'

const COUNTRIES = [
  { value: 'US', count: 4 },
  { value: 'DE', count: 2 },
  { value: 'FI', count: 1 },
  { value: 'IS', count: 1 },
]

it('shows what is chosen though few are shown, and though nothing has it', () => {
  const { shown, hidden } = shownModels(COUNTRIES, ['IS', 'JP'], false, 2)
  expect([shown.map(({ value }) => value), hidden]).toEqual([['US', 'DE', 'IS', 'JP'], 1])
})
