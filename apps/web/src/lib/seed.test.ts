import { expect, test } from 'vitest'
import { createQueryClient } from './queryClient.ts'
import { readSeed, seedElement, sow } from './seed.ts'

test('what a page was drawn from arrives as it was, whatever a provider called its machine', () => {
  const answer = { nodename: '</script><script>alert(1)</script><!--', ratePerMonth: '158' }
  document.body.innerHTML = seedElement({ locale: 'zh', time: 7, answers: [[['nodes', { text: '<b>' }], answer]] })
  expect(document.querySelectorAll('script')).toHaveLength(1)
  const seed = readSeed()
  expect(seed).toMatchObject({ locale: 'zh', time: 7 })
  const client = createQueryClient()
  if (seed) sow(client, seed)
  expect(client.getQueryData(['nodes', { text: '<b>' }])).toEqual(answer)
})

test('a page that was drawn from nothing has nothing to read', () => {
  document.body.innerHTML = ''
  expect(readSeed()).toBeUndefined()
})
