import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Api, createApi } from './createApi.ts'

/** What each method sends. */
const CALLS: Record<Exclude<keyof Api, 'platform'>, [call: (api: Api) => Promise<unknown>, request: string, body?: object]> = {
  config: [(api) => api.config(), 'GET /v1/config'],
  global: [(api) => api.global(), 'GET /v1/global/'],
  series: [(api) => api.series('24h', { minBlock: 7 }), 'GET /v1/stats/series?range=24h&minBlock=7'],
  rack: [(api) => api.rack(), 'GET /v1/rack'],
  prices: [(api) => api.prices(), 'GET /v1/prices'],
  nodes: [(api) => api.nodes({ minGpus: 2 }), 'GET /v1/nodes?minGpus=2'],
  node: [(api) => api.node('0xbb', 3), 'GET /v1/nodes/0xbb/3'],
  providers: [(api) => api.providers(), 'GET /v1/cp/list/0/1000'],
  provider: [(api) => api.provider('0xbb'), 'GET /v1/cp/0xbb'],
  providerOrders: [(api) => api.providerOrders('0xbb'), 'GET /v1/cp/0xbb/order/list'],
  earnings: [(api) => api.earnings('0xbb'), 'GET /v1/cp/0xbb/earnings'],
  pledgeHistory: [(api) => api.pledgeHistory('0xbb'), 'GET /v1/cp/0xbb/pledge'],
  nodeReliability: [(api) => api.nodeReliability('0xbb', 3), 'GET /v1/nodes/0xbb/3/reliability'],
  nodeHardware: [(api) => api.nodeHardware('0xbb', 3), 'GET /v1/nodes/0xbb/3/hardware'],
  providerReliability: [(api) => api.providerReliability('0xbb'), 'GET /v1/cp/0xbb/reliability'],
  monitors: [(api) => api.monitors(), 'GET /v1/monitors'],
  workspacePlace: [(api) => api.workspacePlace('0xbb'), 'GET /v1/cp/0xbb/workspace'],
  edgePlace: [(api) => api.edgePlace('0xbb', 'edge.example#ab'), 'POST /v1/cp/0xbb/edge', { edge: 'edge.example#ab' }],
  reach: [(api) => api.reach('0xbb'), 'POST /v1/cp/0xbb/reach', {}],
  userOrders: [(api) => api.userOrders('0xaa', { minBlock: 7n }), 'GET /v1/user/0xaa/order/list?minBlock=7'],
  order: [(api) => api.order('12'), 'GET /v1/orders/12'],
  orderEvents: [(api) => api.orderEvents('12'), 'GET /v1/orders/12/events'],
  orderEvidence: [(api) => api.orderEvidence('12'), 'GET /v1/orders/12/evidence'],
  receipt: [(api) => api.receipt('12'), 'GET /v1/orders/12/receipt'],
  orderDeployment: [(api) => api.orderDeployment('12'), 'GET /v1/orders/12/deployment'],
  fee: [
    (api) => api.fee({ duration: 1, node_id: 3, provider: '0xbb' }),
    'POST /v1/order/fee',
    { duration: 1, node_id: 3, provider: '0xbb' },
  ],
  nonce: [(api) => api.nonce(), 'POST /v1/auth/nonce', {}],
  verify: [(api) => api.verify({ message: 'm', signature: 's' }), 'POST /v1/auth/verify', { message: 'm', signature: 's' }],
  session: [(api) => api.session(), 'GET /v1/auth/session'],
  logout: [(api) => api.logout(), 'POST /v1/auth/logout', {}],
  deploy: [(api) => api.deploy({ text: 't', signature: 's' } as never), 'POST /v1/deployments', { text: 't', signature: 's' }],
  deployment: [(api) => api.deployment('d-1'), 'GET /v1/deployments/d-1'],
  presets: [(api) => api.presets(), 'GET /v1/presets'],
  alerts: [(api) => api.alerts(), 'GET /v1/alerts'],
  createAlert: [
    (api) => api.createAlert({ kind: 'mail', locale: 'en' } as never),
    'POST /v1/alerts',
    { kind: 'mail', locale: 'en' },
  ],
  removeAlert: [(api) => api.removeAlert('4'), 'POST /v1/alerts/4/remove', {}],
  testAlert: [(api) => api.testAlert('4'), 'POST /v1/alerts/4/test', {}],
  confirmAlert: [(api) => api.confirmAlert('t'), 'POST /v1/alerts/confirm', { token: 't' }],
  unsubscribeAlert: [(api) => api.unsubscribeAlert('t'), 'POST /v1/alerts/unsubscribe', { token: 't' }],
  newsletter: [(api) => api.newsletter({ email: 'a@b.example' }), 'POST /v1/newsletter', { email: 'a@b.example' }],
  faucet: [(api) => api.faucet('0xaa'), 'POST /v1/faucet', { address: '0xaa' }],
}

test.each(Object.entries(CALLS))('%s is one request, and returns its response', async (_, [call, request, body]) => {
  const { baseUrl, requests } = await setup(200, '{"block":7}')
  expect(await call(createApi({ baseUrl }))).toEqual({ block: 7 })
  const type = body && 'application/json'
  expect(requests).toEqual([{ request, type, body: body ? JSON.stringify(body) : '' }])
})

test('carries the platform’s code and facts, and logs a sentence of the specification', async () => {
  const log = vi.fn()
  const { baseUrl } = await setup(429, JSON.stringify({ code: 'rate_limited', message: 'slow down', facts: { seconds: 3 } }))
  await expect(createApi({ baseUrl, log }).global()).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'slow down',
    facts: { status: 429, seconds: 3 },
    retryable: true,
  })
  expect(log).toHaveBeenCalledWith('HTTP error! status: 429')
})

test.each([
  ['an object that is no text', { fee: { toString: 1 }, seconds: 3 }, { seconds: 3 }],
  ['a text', 'none', {}],
  ['a list', [1], {}],
  ['null', null, {}],
])('drops %s from the facts', async (_, facts, kept) => {
  const { baseUrl } = await setup(400, JSON.stringify({ code: 'bad_request', facts }))
  const error = await createApi({ baseUrl })
    .presets()
    .catch((thrown: unknown) => thrown)
  expect(error).toHaveProperty('facts', { status: 400, ...kept })
})

test.each([
  [502, '<html>bad gateway</html>'],
  [200, '<html>sign in to this network</html>'],
  [200, '{"block":'],
])('reports status %i without JSON, as from a proxy, as platform unreachable: %s', async (status, answer) => {
  const { baseUrl } = await setup(status, answer)
  await expect(createApi({ baseUrl }).presets()).rejects.toMatchObject({ code: 'platform_unreachable', retryable: true })
})

test('reports no response as platform unreachable, and passes on an abort', async () => {
  await expect(createApi({ baseUrl: 'http://127.0.0.1:9' }).global()).rejects.toMatchObject({
    code: 'platform_unreachable',
    retryable: true,
  })
  const { baseUrl } = await setup(200, '{}')
  const aborted = { signal: AbortSignal.abort() }
  await expect(createApi({ baseUrl }).global(aborted)).rejects.toMatchObject({ name: 'AbortError' })
  await expect(createApi({ baseUrl }).reach('0xbb', aborted)).rejects.toMatchObject({ name: 'AbortError' })
})

test('retries a read whose idle connection was closed, but not a write', async () => {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(String(url))
    if (asked.length === 2) return Response.json({ block: 7 })
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }
  const api = createApi({ baseUrl: '', fetch })
  expect(await api.rack()).toEqual({ block: 7 })
  await expect(api.nonce()).rejects.toMatchObject({ code: 'platform_unreachable', retryable: true })
  await expect(api.presets()).rejects.toMatchObject({ code: 'platform_unreachable', retryable: true })
  expect(asked).toEqual(['/v1/rack', '/v1/rack', '/v1/auth/nonce', '/v1/presets', '/v1/presets'])
})

test.each([
  [400, false],
  [404, false],
  [429, true],
  [499, false],
  [500, true],
  [503, true],
])('status %i is retryable: %s', async (status, retryable) => {
  const { baseUrl } = await setup(status, '{"code":"not_found"}')
  await expect(createApi({ baseUrl }).presets()).rejects.toMatchObject({
    ...{ code: 'not_found', message: `HTTP error! status: ${status}`, facts: { status }, retryable },
  })
})

test('sends cookies to the page’s own platform only, unless told otherwise', async () => {
  const sent: unknown[] = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(init?.credentials)
    return Response.json({})
  }
  await createApi({ baseUrl: '', fetch }).config()
  await createApi({ baseUrl: '', fetch, credentials: 'omit' }).config()
  expect(sent).toEqual(['same-origin', 'omit'])
})

test('keeps the token of a session until it is ended, and sends it with every call', async () => {
  const sent: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Headers(init?.headers).get('authorization'))
    return Response.json(String(input) === '/v1/auth/verify' ? { address: '0xaa', expires: 1, token: 'secret' } : {})
  }
  const api = createApi({ baseUrl: '', fetch })
  await api.session()
  expect(await api.verify({ message: '', signature: '0x' })).toEqual({ address: '0xaa', expires: 1 })
  await api.session()
  await api.logout()
  await api.session()
  expect(sent).toEqual([null, null, 'Bearer secret', 'Bearer secret', null])
})

/** Platforms of one market by their origins: what each answers, or nothing. */
function platforms(answers: Record<string, ((path: string) => unknown) | undefined>) {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { origin, pathname } = new URL(String(input))
    const token = new Headers(init?.headers).get('authorization')
    asked.push(`${origin}${pathname}${token ? ` ${token}` : ''}`)
    const answer = answers[origin]?.(pathname)
    if (answer === undefined) throw new TypeError('fetch failed')
    return answer instanceof Response ? answer : Response.json(answer)
  }
  return { asked, answers, fetch }
}
const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'] as const

test('asks the next of several platforms while one does not answer, and stays there', async () => {
  const { asked, answers, fetch } = platforms({ [A]: () => ({}), [B]: () => ({}) })
  const api = createApi({ baseUrl: [A, B], fetch })
  await api.rack()
  expect(api.platform()).toBe(A)
  answers[A] = undefined
  await Promise.all([api.rack(), api.deploy({ text: 't', signature: 's' } as never)])
  expect(api.platform()).toBe(B)
  answers[A] = () => ({})
  await api.rack()
  answers[B] = () => new Response('<html>bad gateway</html>', { status: 502 })
  await api.presets()
  expect([api.platform(), asked.at(-1)]).toEqual([A, `${A}/v1/presets`])
  answers[A] = () => Response.json({ code: 'not_found' }, { status: 404 })
  await expect(api.order('1')).rejects.toMatchObject({ code: 'not_found' })
  answers[A] = undefined
  await expect(api.order('1')).rejects.toMatchObject({ code: 'platform_unreachable', message: 'No answer from /v1/orders/1' })
})

test('gives the token of a session to no other platform', async () => {
  const { asked, answers, fetch } = platforms({ [A]: () => ({ token: 'secret' }), [B]: () => ({}) })
  const api = createApi({ baseUrl: [A, B], fetch })
  await api.verify({ message: '', signature: '0x' })
  answers[A] = undefined
  await api.alerts()
  expect(asked.slice(1)).toEqual([`${A}/v1/alerts Bearer secret`, `${B}/v1/alerts`])
})

test('goes on at no platform of another market', async () => {
  const { asked, answers, fetch } = platforms({
    [A]: () => ({ chainId: 1 }),
    [B]: () => ({ chainId: 2 }),
    [C]: () => ({ chainId: 1 }),
  })
  const api = createApi({ baseUrl: [A, B, C], fetch, isSameMarket: ({ chainId }) => chainId === 1 })
  await api.config()
  answers[A] = undefined
  await api.rack()
  await api.rack()
  expect(asked.slice(1)).toEqual([`${A}/v1/rack`, `${B}/v1/config`, `${C}/v1/config`, `${C}/v1/rack`, `${C}/v1/rack`])
})

test('takes the platform that an agent is connected to, for a deployment and for a workspace', async () => {
  const away = (path: string) => (path.endsWith('/workspace') ? { keys: null, url: null } : { phase: 'Queued', id: 'a' })
  const here = (path: string) =>
    path.endsWith('/workspace') ? { keys: null, url: '/v1/workspace/0xbb' } : { phase: 'Accepted', id: 'b' }
  const { answers, fetch } = platforms({ [A]: away, [B]: here })
  const place = () => createApi({ baseUrl: [A, B], fetch }).workspacePlace('0xbb')
  const deploy = () => createApi({ baseUrl: [A, B], fetch }).deploy({ text: 't', signature: 's' } as never)
  expect(await place()).toEqual({ keys: null, url: 'wss://b.example/v1/workspace/0xbb' })
  expect(await deploy()).toMatchObject({ id: 'b' })
  answers[B] = away
  expect([await place(), (await deploy()).phase]).toEqual([{ keys: null, url: null }, 'Queued'])
  answers[B] = () => Response.json({ code: 'order_not_found' }, { status: 404 })
  expect((await deploy()).id).toBe('a')
})

test('waits for a silent platform only as long as another may answer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const silent = (init?: RequestInit) =>
    new Promise<Response>((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  const fetch: typeof globalThis.fetch = (input, init) =>
    String(input).startsWith(A) ? silent(init) : Promise.resolve(Response.json({ block: 7 }))
  const answer = createApi({ baseUrl: [A, B], fetch }).rack()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await answer).toEqual({ block: 7 })
  const stop = new AbortController()
  const aborted = createApi({ baseUrl: [A, B], fetch }).rack({ signal: stop.signal })
  stop.abort()
  await expect(aborted).rejects.toThrow('aborted')
})

test('omits unset query parameters and passes the minimum block', async () => {
  const { baseUrl, requests } = await setup(200, '{}')
  await createApi({ baseUrl }).nodes({ text: 'RTX & co', idle: true, gpu: '', sort: undefined }, { minBlock: 7n })
  await createApi({ baseUrl }).reach('0xbb', { minBlock: 7 })
  expect(requests.map(({ request }) => request)).toEqual([
    'GET /v1/nodes?text=RTX+%26+co&idle=true&minBlock=7',
    'POST /v1/cp/0xbb/reach?minBlock=7',
  ])
})

async function setup(status: number, body: string) {
  const requests: { request: string; type: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const sent = await text(request)
    requests.push({ request: `${request.method} ${request.url}`, type: request.headers['content-type'], body: sent })
    response.writeHead(status).end(body)
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${port}`, requests }
}
