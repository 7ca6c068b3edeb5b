import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { visitUrl } from '@rackfair/rules/deployment/visitUrl'
import { connectMarket, createApi, searchNodes } from '@rackfair/sdk'
import { createBuyer, startMarket, visit, whyItRests } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SAMPLE_PROVIDERS } from './sampleProviders.ts'
import { samplePorts } from './samples.ts'
import { whyNoProvider } from './testing/whyNoProvider.ts'

const LONG = { timeout: 240_000, interval: 200 }
const reason = whyNoProvider() ?? whyItRests('samples')

test(`adds marked machines with real containers by --sample, names with https by --edge, and keeps them${reason ? ` (${reason})` : ''}`, {
  timeout: 900_000,
  skip: reason !== undefined,
}, async () => {
  const market = await startMarket({ agent: true, sample: true, edge: true })
  onTestFinished(market.stop, 300_000)
  const api = createApi({ baseUrl: market.url })
  const machines = async () =>
    (await api.nodes({})).items.map(({ providerName, sample, online }) => ({ providerName, sample, online }))
  const samples = SAMPLE_PROVIDERS.flatMap(({ name, nodes }) =>
    Array.from({ length: nodes }, () => ({ providerName: name, sample: true, online: true })),
  )
  const areAllThere = async () => {
    const all = await machines()
    expect(all.filter(({ sample }) => !sample)).toHaveLength(2)
    expect(all.filter(({ sample }) => sample)).toEqual(expect.arrayContaining(samples))
    expect(all).toHaveLength(samples.length + 2)
  }
  await vi.waitFor(areAllThere, LONG)
  expect((await api.rack()).slots.filter(({ sample }) => sample)).toHaveLength(samples.length)

  const { nodes } = await searchNodes(await connectMarket({ platform: market.url }))
  expect(nodes.filter(({ sample }) => sample)).toHaveLength(samples.length)

  const buyer = await createBuyer(market.url, 'aurora')
  expect(buyer.order).toMatchObject({ gpuModel: 'RTX 4090', r: { nGPU: 8, nMEM: 512 }, node: { sample: true } })
  const { id } = await buyer.api.deploy(await buyer.sign('nginx'))
  await vi.waitFor(async () => expect((await buyer.api.deployment(id)).phase).toBe('Running'), LONG)
  const [port = 0] = samplePorts(market.gatewayPort)
  const link = visitUrl({ ip: '127.0.0.1', port }, BigInt(buyer.order.id), buyer.account.address)
  expect((await visit(link)).status).toBe(200)

  const here = await createBuyer(market.url, (await machines()).find(({ sample }) => !sample)?.providerName)
  const ca = readFileSync(join(market.stateDir, 'authority', 'ca.pem'), 'utf8')
  const running = await here.api.deploy(await here.sign('nginx'))
  await vi.waitFor(async () => expect((await here.api.deployment(running.id)).phase).toBe('Running'), LONG)
  const { visitUrl: secure } = await here.api.deployment(running.id)
  expect(secure).toMatch(new RegExp(`^https://o-${here.order.id}\\.m-[0-9a-f]{6}\\.edge\\.localhost:${market.edgePort}/$`))
  expect(await ask(secure ?? '', ca)).toMatchObject({ status: 200, body: expect.stringContaining('<html') })
  expect(await ask(await ledTo(here.order, here.account.address), ca), 'from the registered address').toMatchObject({
    status: 200,
  })

  await market.end('SIGINT')
  await market.resume()
  await vi.waitFor(areAllThere, LONG)
  await vi.waitFor(async () => expect((await visit(link)).status).toBe(200), LONG)
  await vi.waitFor(async () => expect(await ask(secure ?? '', ca)).toMatchObject({ status: 200 }), LONG)
})

/** Asks as a browser that trusts `ca`, and that finds names below `localhost` on this machine. */
function ask(link: string, ca: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(link)
    const asking = get({ host: '127.0.0.1', port, servername: hostname, headers: { host }, ca, agent: false }, (answer) =>
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject),
    )
    asking.on('error', reject)
  })
}

/** Where the Visit link of the specification leads. */
async function ledTo({ ip, port, id }: { ip: string; port: number; id: string }, user: string): Promise<string> {
  const answer = await fetch(visitUrl({ ip, port }, BigInt(id), user), { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}
