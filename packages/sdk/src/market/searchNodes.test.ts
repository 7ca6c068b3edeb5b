import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { expect, test } from 'vitest'
import { createApi } from '../http/createApi.ts'
import { listNodes } from './searchNodes.ts'

const pageOf = (size: number, next: string | null) => ({
  items: Array.from({ length: size }, (_, id) => nodeAnswer({ id })),
  ...{ next, total: size, histogram: [], block: 7 },
  facets: { gpu: [], cpu: [], idle: 0, online: 0, verified: 0 },
})

/** A platform that answers each query with what `answer` makes of its cursor. */
const marketOf = (answer: (cursor: string | null) => object) => ({
  api: createApi({
    baseUrl: 'http://market.example',
    fetch: async (url) => Response.json(answer(new URL(String(url)).searchParams.get('cursor'))),
  }),
})

async function idsOf(nodes: ReturnType<typeof listNodes>): Promise<number[]> {
  const ids = []
  for await (const { nodeId } of nodes) ids.push(nodeId)
  return ids
}

test('a list goes on to the last page', async () => {
  const pages = new Map([
    [null, pageOf(2, 'b')],
    ['b', pageOf(2, 'c')],
    ['c', pageOf(1, null)],
  ])
  expect(await idsOf(listNodes(marketOf((cursor) => pages.get(cursor) ?? {})))).toEqual([0, 1, 0, 1, 0])
})

const ENDLESS = { code: 'answer_malformed', facts: { field: 'nodes.next' } }

test('a list ends where a platform names another page after an empty one', async () => {
  let pages = 0
  const market = marketOf(() => {
    pages += 1
    return pageOf(0, pages < 1_000 ? `page ${pages}` : null)
  })
  await expect(idsOf(listNodes(market))).rejects.toMatchObject(ENDLESS)
  expect(pages).toBe(1)
})

test('a list ends where a platform has more machines than any market', async () => {
  const page = pageOf(10_000, 'more')
  let pages = 0
  const market = marketOf(() => {
    pages += 1
    return pages < 20 ? page : pageOf(0, null)
  })
  await expect(idsOf(listNodes(market))).rejects.toMatchObject(ENDLESS)
  expect(pages).toBe(10)
})
