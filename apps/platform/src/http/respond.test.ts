import { OpenAPIHono, z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import type { AppContext } from './AppContext.ts'
import { addressParam } from './addressParam.ts'
import { type App, defineRoute, type Env } from './defineRoute.ts'
import { ResponseCache } from './ResponseCache.ts'
import { readQuery } from './readQuery.ts'
import { respond } from './respond.ts'

it('builds one answer for whatever asks for the same, with whatever else a stranger adds to the question', async () => {
  const app: App = new OpenAPIHono<Env>()
  const position = { block: 5, blockTime: 0, seq: 0, state: 'live', head: 5, seenAt: 0, reason: '' }
  const context = { feed: { position }, cache: new ResponseCache() } as unknown as AppContext
  let built = 0
  const query = readQuery.extend({ limit: z.coerce.number().optional(), gpu: z.string().optional() })
  const params = z.object({ cp: addressParam, from: z.coerce.number() })
  const shape = { method: 'get', path: '/v1/cp/{cp}/nodes/{from}', id: 'get', summary: 'a', tag: 'a', params, query } as const
  defineRoute(app, { ...shape, answer: z.object({}) }, (call, { params: { cp }, query: { limit, gpu } }) =>
    respond(call, context, [], () => {
      built += 1
      return { value: { cp, limit, gpu } }
    }),
  )
  const ask = async (address: string, search = '', from = '10') =>
    (await app.request(`/v1/cp/${address}/nodes/${from}${search}`)).json()
  const cp = `0x${'ab'.repeat(20)}`
  expect(await ask(cp)).toEqual({ cp })
  for (const same of ['?x=1', '?x=2&minBlock=3', '?__proto__=1']) expect(await ask(cp, same)).toEqual({ cp })
  for (const written of [`0x${'AB'.repeat(20)}`, `0x${'Ab'.repeat(20)}`, cp.replace('a', '%61')])
    expect(await ask(written)).toEqual({ cp })
  for (const from of ['1e1', '010', '0xa', '10.0']) expect(await ask(cp, '', from)).toEqual({ cp })
  expect(built).toBe(1)
  expect(await ask(cp, '?limit=7&gpu=a')).toEqual({ cp, limit: 7, gpu: 'a' })
  expect(await ask(cp, '?gpu=a&x=1&limit=07')).toEqual({ cp, limit: 7, gpu: 'a' })
  expect(built).toBe(2)
  expect(await ask(cp, '?limit=7&gpu=a%26limit%3D7')).toEqual({ cp, limit: 7, gpu: 'a&limit=7' })
  expect(await ask(`0x${'cd'.repeat(20)}`)).toEqual({ cp: `0x${'cd'.repeat(20)}` })
  expect(await ask(cp, '', '11')).toEqual({ cp })
  expect(built).toBe(5)
})
