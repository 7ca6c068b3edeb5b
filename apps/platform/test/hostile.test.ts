import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { DEEP, seeded } from './seed.ts'
import { type Market, startMarket } from './startMarket.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: unknown
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: object }
}

let market: Market
let document: Document
beforeAll(async () => {
  market = await startMarket()
  await market.act.becomeProvider()
  const { block } = await market.act.buy()
  document = (await market.get<Document>(`/openapi.json?minBlock=${block}`)).body
  await market.get(`/v1/prices?minBlock=${block}`)
})
afterAll(() => market.stop())

it('responds to arbitrary requests on every route with a code, and never with a crash, a stack trace or a timeout', async () => {
  const { seed } = seeded()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(operations.length).toBeGreaterThan(30)
  const { provider, user } = market.chain.accounts
  const plausible = fc.constantFrom(provider.address, user.address, '1', '0', '2', '1000', '24h', 'true', 'price', 'block', '0.5')
  const strange = fc.constantFrom(
    ...[
      '',
      '-1',
      '1e3',
      'NaN',
      '0x',
      '%00',
      '../../etc/passwd',
      '%2e%2e%2f',
      "' or 1=1 --",
      '18446744073709551615',
      '9'.repeat(80),
      '\u202e',
      '💥',
    ],
    ...[
      '__proto__',
      'constructor',
      '<script>alert(1)</script>',
      '%E0%A4%A',
      ',,,',
      '0x'.padEnd(42, 'g'),
      'eyJhIjoxfQ',
      'WyJwcmljZSIsIjFuIiwiYSJd',
    ],
  )
  const value = fc.oneof({ weight: 4, arbitrary: plausible }, { weight: 3, arbitrary: strange }, fc.string({ maxLength: 60 }))
  const body = fc.oneof(
    fc.json(),
    fc.constantFrom('', '{', 'null', '[]', '{"__proto__":{}}', '{"duration":1e999}', '{"address":"0x0"}'),
    fc
      .record({ duration: fc.oneof(fc.integer(), value), node_id: fc.oneof(fc.integer(), value), provider: value })
      .map((it) => JSON.stringify(it)),
    fc.record({ text: value, signature: value, sealed: value }).map((it) => JSON.stringify(it)),
    fc.record({ message: fc.string(), email: fc.emailAddress(), address: value }).map((it) => JSON.stringify(it)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      fc.infiniteStream(value),
      body,
      async ({ path, method, operation }, values, text) => {
        const draw = () => values.next().value as string
        const url = new URL(
          market.platform.url + path.replace(/\{\w+\}/g, () => encodeURIComponent(draw())).replaceAll('%25', '%'),
        )
        const headers = new Headers({ 'content-type': 'application/json' })
        for (const parameter of operation.parameters ?? []) {
          if (parameter.in === 'query' && draw().length % 2 === 0) url.searchParams.set(parameter.name, draw())
          if (parameter.in === 'header') headers.set(parameter.name, encodeURIComponent(draw()))
        }
        url.searchParams.delete('minBlock')
        const abort = AbortSignal.timeout(60_000)
        const answer = await fetch(url, { method, headers, signal: abort, ...(operation.requestBody ? { body: text } : {}) })
        const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
        if (isStream) return void (await answer.body?.cancel())
        const said = await answer.text()
        expect(answer.status, `${method} ${url}: ${said}`).toBeLessThan(500)
        expect(said).not.toMatch(/ {4}at |node_modules|SQLITE|\.ts:\d/)
        if (answer.status >= 400)
          expect(JSON.parse(said)).toMatchObject({ code: expect.any(String), message: expect.any(String) })
      },
    ),
    { numRuns: DEEP ? 20_000 : 2_000, seed, endOnFailure: true },
  )
})

it('returns every read in its documented schema', async () => {
  const { provider, user } = market.chain.accounts
  const known: Record<string, string> = {
    cp: provider.address,
    address: provider.address,
    id: '1',
    from: '0',
    to: '10',
    file: 'nginx.yaml',
  }
  const definitions = JSON.parse(inDefinitions(document.components.schemas))
  let checked = 0
  for (const [path, { get }] of Object.entries(document.paths)) {
    const schema = get?.responses['200']?.content?.['application/json']?.schema
    const isMissing = path === '/v1/deployments/{id}' || path.endsWith('/deployment')
    // Alerts require a sign-in: test/alerts.test.ts.
    if (!get || !schema || isMissing || path === '/v1/alerts') continue
    const address = path.startsWith('/v1/user') ? user.address : provider.address
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'address' ? address : (known[name] ?? '')))
    const answer = await market.get(`${url}${path.endsWith('series') ? '?range=24h' : ''}`)
    expect([path, answer.status]).toEqual([path, 200])
    const shape = z.fromJSONSchema({ ...JSON.parse(inDefinitions(schema)), $defs: definitions })
    expect([path, shape.safeParse(answer.body).error]).toEqual([path, undefined])
    checked += 1
  }
  expect(checked).toBeGreaterThan(16)
})

it('refuses oversized bodies, foreign origins and path traversal', async () => {
  const { get } = market
  const headers = { 'content-type': 'application/json' }
  const large = JSON.stringify({ email: 'a'.repeat(400_000) })
  expect(await get('/v1/newsletter', { method: 'POST', headers, body: large })).toMatchObject({
    status: 413,
    body: { code: 'payload_too_large' },
  })
  const foreign = { ...headers, origin: 'https://evil.example' }
  expect(await get('/v1/auth/nonce', { method: 'POST', headers: foreign })).toMatchObject({ status: 403 })
  const reads = [await get('/v1/config', { headers: foreign }), await get('/v1/nodes', { headers: foreign })]
  for (const { headers: answered } of reads) {
    expect(answered.get('access-control-allow-origin')).toBe('*')
    expect(answered.get('access-control-allow-credentials')).toBeNull()
  }
  const own = { origin: market.platform.url }
  expect((await get('/v1/config', { headers: own })).headers.get('access-control-allow-credentials')).toBe('true')
  const signedIn = await get('/v1/auth/session', { headers: foreign })
  expect(signedIn.headers.get('access-control-allow-origin')).toBeNull()
  const preflight = (path: string, method: string) =>
    get(path, { method: 'OPTIONS', headers: { origin: foreign.origin, 'access-control-request-method': method } })
  expect((await preflight('/v1/nodes', 'GET')).headers.get('access-control-allow-origin')).toBe('*')
  expect((await preflight('/v1/order/fee', 'POST')).headers.get('access-control-allow-origin')).toBe('*')
  expect((await preflight('/v1/auth/nonce', 'POST')).headers.get('access-control-allow-origin')).toBeNull()
  expect((await preflight('/greet/deployid', 'GET')).headers.get('access-control-allow-origin')).toBeNull()
  for (const name of ['..%2f..%2fpackage.json', '%2e%2e%2fpackage.json', '.git', 'logos', 'catalog.json%00.yaml']) {
    expect([name, (await get(`/v1/presets/${name}`)).status]).toEqual([name, 404])
  }
  expect((await get('/v1/presets/nginx.yaml')).status).toBe(200)
})

/** Where JSON Schema itself puts named schemas. */
function inDefinitions(schema: object): string {
  return JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')
}
