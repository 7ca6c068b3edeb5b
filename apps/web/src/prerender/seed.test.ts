import { expect, test } from 'vitest'
import { createQueryClient } from '../platform/api/queryClient.ts'
import { readSeed, seedElement, sow } from './seed.ts'

test('passes a page’s data through unchanged, whatever a provider named its machine', () => {
  const answer = { nodename: '</script><script>alert(1)</script><!--', ratePerMonth: '158' }
  document.body.innerHTML = seedElement({ locale: 'zh', time: 7, answers: [[['nodes', { text: '<b>' }], answer]] })
  expect(document.querySelectorAll('script')).toHaveLength(1)
  const seed = readSeed()
  expect(seed).toMatchObject({ locale: 'zh', time: 7 })
  const client = createQueryClient()
  if (seed) sow(client, seed)
  expect(client.getQueryData(['nodes', { text: '<b>' }])).toEqual(answer)
})

test('reads nothing from a page without data', () => {
  document.body.innerHTML = ''
  expect(readSeed()).toBeUndefined()
})
