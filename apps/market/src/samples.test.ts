import { visitUrl } from '@rackfair/rules/deployment/visitUrl'
import { connectMarket, createApi, searchNodes } from '@rackfair/sdk'
import { createBuyer, startMarket, visit, whyItRests } from '@rackfair/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SAMPLE_PROVIDERS } from './sampleProviders.ts'
import { samplePorts } from './samples.ts'
import { whyNoProvider } from './testing/whyNoProvider.ts'

const LONG = { timeout: 240_000, interval: 200 }
const reason = whyNoProvider() ?? whyItRests('samples')

test(`adds marked machines with real containers by --sample, and keeps them${reason ? ` (${reason})` : ''}`, {
  timeout: 900_000,
  skip: reason !== undefined,
}, async () => {
  const market = await startMarket({ agent: true, sample: true })
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

  await market.end('SIGINT')
  await market.resume()
  await vi.waitFor(areAllThere, LONG)
  await vi.waitFor(async () => expect((await visit(link)).status).toBe(200), LONG)
})
