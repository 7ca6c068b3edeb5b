import { beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  localStorage.clear()
  vi.resetModules()
})

const load = () => import('./savedSearches.ts')
const node = (nodeId: number) => ({ provider: '0xbb', nodeId })

test('does not repeat a match, even after a reload', async () => {
  const first = await load()
  first.keepSearch('gpu=RTX+4090', ['0xbb/1'])
  first.keepSearch('gpu=RTX+4090', ['0xbb/2'])
  vi.resetModules()
  const { newlyFound, savedSearches } = await load()
  expect(savedSearches()).toEqual([{ words: 'gpu=RTX+4090', seen: ['0xbb/2', '0xbb/1'] }])
  const [search] = savedSearches()
  expect(search && newlyFound(search, [node(1), node(2), node(3)])).toEqual([node(3)])
})

test('keeps ten searches, drops the oldest, and forgets one on request', async () => {
  const { forgetSearch, keepSearch, savedSearches } = await load()
  for (let at = 0; at < 12; at += 1) keepSearch(`minGpus=${at}`, [])
  expect(savedSearches().map(({ words }) => words)).toEqual(Array.from({ length: 10 }, (_, at) => `minGpus=${at + 2}`))
  forgetSearch('minGpus=5')
  expect(savedSearches()).toHaveLength(9)
})

test('limits the stored matches', async () => {
  const { keepSearch, savedSearches } = await load()
  for (let at = 0; at < 600; at += 1) keepSearch('', [`0xbb/${at}`])
  expect(savedSearches()[0]?.seen).toHaveLength(500)
  expect(savedSearches()[0]?.seen[0]).toBe('0xbb/599')
})

test.each(['{', '7', 'null', '[1,null,{"words":3,"seen":[]},{"words":"a","seen":[1]}]'])(
  'ignores %s in the storage',
  async (kept) => {
    localStorage.setItem('rackfair.searches', kept)
    expect((await load()).savedSearches()).toEqual([])
  },
)
