import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { getNode, getOrder } from '@rackfair/sdk'
import { freePort, visit } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSignerCheck } from '../../edge/src/createSignerCheck.ts'
import { type StartedEdge, startEdge } from '../../edge/src/testing/startEdge.ts'
import { saveConfig } from './config/agentConfig.ts'
import { setupMarket, startTestAgent, type TestMarket } from './testing/setupAgent.ts'
import { whyNoContainers } from './testing/whyNoContainers.ts'

const NGINX = 2
const reason = whyNoContainers()

describe.skipIf(reason)(`a purchase and a deployment on this machine (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  let edge: StartedEdge
  const stop: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const port = await freePort()
    market = await setupMarket((config) => ({ ...config, metrics: { host: '127.0.0.1', port } }))
    stop.unshift(() => market.close())
    edge = await startEdge({ isSigned: createSignerCheck(market.buyer.client as never, market.buyer.addresses) })
    stop.unshift(() => edge.close())
    const config = market.config()
    const at = { host: '127.0.0.1', port: edge.ports.control, fingerprint: edge.certificate.fingerprint, spares: 2 }
    saveConfig(market.file, { ...config, gateway: { ...config.gateway, edges: [at] } })
    agent = await startTestAgent(market)
    stop.unshift(() => agent.stop())
    await agent.runtime.ensureImage((await import('./presets/loadCatalog.ts')).loadCatalog().get(NGINX)?.app as never)
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  it('lists two nodes of this machine, and init changes nothing the second time', async () => {
    const nodes = await agent.chain.nodes()
    expect(nodes).toHaveLength(2)
    const before = await agent.chain.client.getBlockNumber()
    const count = await agent.chain.client.getTransactionCount({ address: market.provider })
    await market.runInit()
    expect(await agent.chain.client.getTransactionCount({ address: market.provider })).toBe(count)
    expect(before).toBeGreaterThan(0n)
  })

  it('runs nginx for the owner, serves it at the Visit link, activates the order, and cleans it', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    market.buyer.sealTo(await market.peer.keys())
    const request = await market.buyer.sign({
      orderId,
      deployId: NGINX,
      provider: market.provider,
      env: { PAGE_TITLE: 'Hello <b>there</b>' },
    })
    const started = performance.now()
    const answer = await market.peer.deploy(request)
    expect(answer).toMatchObject({ status: 202 })
    const deploymentId = answer.deployment?.id ?? ''
    const link = `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`

    const firstPage = await visitUntil(link, (status) => status === 200)
    console.log(`signed request to first 200: ${Math.round(performance.now() - started)} ms`)
    expect(firstPage.body).toContain('<h1>Hello &lt;b&gt;there&lt;/b&gt;</h1>')

    // The same at the raw port of an edge, which the agent has dialled.
    const connected = await vi.waitFor(() => {
      const line = agent.lines.find((one) => one.includes('an edge sends visitors'))
      if (line === undefined) throw new Error('not connected yet')
      return JSON.parse(line) as { rawPort: number }
    }, 60_000)
    const throughEdge = await visit(link.replace(market.gateway, `http://127.0.0.1:${connected.rawPort}`))
    expect(await throughEdge.text()).toBe(firstPage.body)

    const running = await market.peer.phase(deploymentId, 'Running')
    const { stdout: note } = await agent.runtime.exec(orderId, ['sh', '-c', 'cat "$RACKFAIR_AGENTS_MD"'])
    expect(await text(note)).toMatch(
      new RegExp(`order ${orderId} on [\\s\\S]*It costs 0\\.\\d+ USD an hour[\\s\\S]*rackfair cancel ${orderId} `),
    )
    expect(running.steps.map((step) => step.phase)).toEqual(['Accepted', 'Creating', 'Starting', 'Running'])
    await expect.poll(async () => (await getOrder(market.buyer.client, market.buyer.addresses, orderId)).status).toBe(2)
    await expect
      .poll(async () => (await getNode(market.buyer.client, market.buyer.addresses, market.provider, 1n)).avail, {
        timeout: 120_000,
      })
      .toBe(true)
    await expect.poll(() => market.buyer.appOf(orderId)).toBe('nginx')

    let metrics = ''
    const seriesValue = (series: string) =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      )
    // A chain that takes more than three seconds counts as down.
    await expect
      .poll(async () => {
        metrics = await (await fetch(`http://127.0.0.1:${market.config().metrics?.port}/metrics`)).text()
        return seriesValue('rackfair_agent_chain_up')
      })
      .toBe(1)
    expect(seriesValue(`rackfair_agent_platform_connected{platform="${market.peer.url}"}`)).toBe(1)
    expect(seriesValue('rackfair_agent_operator_gas_ether')).toBeGreaterThan(0)
    expect(seriesValue('rackfair_agent_orders{phase="Running"}')).toBe(1)
    expect(seriesValue(`rackfair_agent_order_memory_bytes{order="${orderId}"}`)).toBeGreaterThan(100_000)
    expect(seriesValue('rackfair_agent_gateway_responses_total{class="2xx"}')).toBeGreaterThan(0)

    const cleaned = await market.peer.deploy(await market.buyer.sign({ orderId, deployId: 0, provider: market.provider }))
    expect(cleaned.status).toBe(202)
    await market.peer.phase(cleaned.deployment?.id ?? '', 'Cleaned')
    await expect
      .poll(async () => (await getNode(market.buyer.client, market.buyer.addresses, market.provider, 1n)).avail, {
        timeout: 120_000,
      })
      .toBe(false)
    expect(await agent.runtime.list()).toEqual([])
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(404)
    await market.buyer.cancel(orderId)
  })

  it('stops and wipes an order when the owner cancels it', async () => {
    const orderId = await market.buyer.buy(market.provider, 2n)
    const answer = await market.peer.deploy(await market.buyer.sign({ orderId, deployId: NGINX, provider: market.provider }))
    const id = answer.deployment?.id ?? ''
    await market.peer.phase(id, 'Running')
    await market.buyer.cancel(orderId)
    await market.peer.phase(id, 'Closed')
    expect(await agent.runtime.list()).toEqual([])
    expect(await agent.runtime.ordersWithData()).toEqual([])
  })

  it('refuses a signature of another wallet', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    const request = await market.buyer.sign(
      { orderId, deployId: NGINX, provider: market.provider },
      market.chain.accounts.otherUser,
    )
    expect(await market.peer.deploy(request)).toMatchObject({ status: 403, code: 'order_not_owned' })
    await market.buyer.cancel(orderId)
  })

  it('sends heartbeats to the platform', async () => {
    await market.peer.until('two heartbeats', () => market.peer.heartbeats() >= 2)
  })
})

/** Sends visits until an answer is as expected. */
async function visitUntil(link: string, right: (status: number) => boolean) {
  const deadline = Date.now() + 60_000
  for (;;) {
    const page = await visit(link)
    const body = await page.text()
    if (right(page.status)) return { status: page.status, body }
    if (Date.now() > deadline) throw new Error(`still ${page.status}: ${body.slice(0, 300)}`)
    await sleep(20)
  }
}
