import { connect } from 'node:net'
import { appText, OWN_APP_DEPLOY_ID, parseAppSpec } from '@rackfair/core'
import { getOrder } from '@rackfair/sdk'
import { freePort, visit } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { busybox } from './testing/ownImageBase.ts'
import { setupMarket, startTestAgent, type TestMarket } from './testing/setupAgent.ts'
import { packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from './testing/startRegistry.ts'
import { whyNoContainers } from './testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyNoRegistry()

describe.skipIf(reason)(`an application of the renter's own, from signature to clean (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let registry: TestRegistry
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  const stop: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    const from = await freePort()
    market = await setupMarket((config) => ({
      ...config,
      gateway: { ...config.gateway, portRange: null, appPorts: [from, from + 50] },
      ownImages: { ...config.ownImages, localRegistries: [registry.host] },
      stopWorkloadsOnExit: false,
    }))
    stop.unshift(() => market.close())
    agent = await startTestAgent(market)
    market.buyer.sealTo(await market.peer.keys())
    stop.unshift(async () => {
      for (const one of await agent.runtime.list()) await agent.runtime.remove(one.orderId, { wipe: true })
      await agent.stop()
    })
    const program = await busybox()
    const base = packLayer(tarOf({ 'bin/busybox': program, 'bin/sh': program }, { 'bin/busybox': '755', 'bin/sh': '755' }))
    const line =
      'echo "$GREETING $SECRET" > /index.html; while :; do echo one | busybox nc -l -p 7000; done & busybox httpd -f -p 8080 -h /'
    await registry.push('acme/app', '1', { layers: [base], config: { Entrypoint: ['/bin/sh', '-c'], Cmd: [line] } })
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const say = async (port: number) => {
    const socket = connect({ host: '127.0.0.1', port })
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.end()
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
    return heard
  }
  const sign = async (orderId: bigint, given: Record<string, unknown>, env?: Record<string, string>) => {
    const app = appText(parseAppSpec(given).spec as never)
    return market.buyer.sign({ orderId, deployId: OWN_APP_DEPLOY_ID, provider: market.provider, app, ...(env ? { env } : {}) })
  }

  it('runs, is visited, is reached at its port, survives the agent, and goes with a clean', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    const given = {
      image: `${registry.host}/acme/app:1`,
      env: { GREETING: 'hello' },
      secrets: ['SECRET'],
      ports: [
        { protocol: 'http', port: 8080 },
        { protocol: 'tcp', port: 7000 },
      ],
    }
    const answer = await market.peer.deploy(await sign(orderId, given, { SECRET: 'there' }))
    expect(answer).toMatchObject({ status: 202, deployment: { deployId: OWN_APP_DEPLOY_ID } })
    const id = answer.deployment?.id ?? ''
    const running = await market.peer.phase(id, 'Running')
    expect(running.steps.map(({ phase }) => phase)).toEqual(['Accepted', 'Pulling', 'Creating', 'Starting', 'Running'])
    expect(running.details).toMatchObject({
      image: expect.stringMatching(/acme\/app:1@sha256:[0-9a-f]{64}$/),
      pull: { layers: 1, totalLayers: 1 },
      notes: [{ code: 'root', value: '' }],
    })
    const outside = running.details?.ports?.[0]?.outside ?? 0
    expect(running.details?.ports).toEqual([{ protocol: 'tcp', port: 7000, outside }])
    expect(await say(outside)).toBe('one\n')
    const page = await visit(`${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`)
    expect(await page.text()).toBe('hello there\n')
    await expect
      .poll(async () => (await getOrder(market.buyer.client, market.buyer.addresses, orderId)).app, { timeout: 60_000 })
      .toBe('own-app')

    await agent.stop()
    expect(await say(outside)).toBe('')
    // It needs no registry to go on.
    await registry.stop()
    agent = await startTestAgent(market)
    await expect.poll(() => say(outside), { timeout: 60_000 }).toBe('one\n')
    await registry.start()

    const cleaned = await market.peer.deploy(await market.buyer.sign({ orderId, deployId: 0, provider: market.provider }))
    await market.peer.phase(cleaned.deployment?.id ?? '', 'Cleaned')
    expect(await say(outside)).toBe('')
    expect(await agent.runtime.ordersWithData()).toEqual([])
    await market.buyer.cancel(orderId)
  })

  it('fails with a clear code where the image cannot be had, and the next request starts anew', async () => {
    const orderId = await market.buyer.buy(market.provider, 2n)
    const missing = await market.peer.deploy(await sign(orderId, { image: `${registry.host}/acme/none:1` }))
    const failed = await market.peer.phase(missing.deployment?.id ?? '', 'Failed')
    expect(failed.steps.at(-1)).toMatchObject({ phase: 'Failed', code: 'image_not_found' })
    const works = await market.peer.deploy(
      await sign(orderId, { image: `${registry.host}/acme/app:1`, args: ['busybox sleep 1000'] }),
    )
    // Without a port it runs once it has not ended.
    await market.peer.phase(works.deployment?.id ?? '', 'Running')
    expect(works.deployment?.visitUrl).toBeNull()
    await market.buyer.cancel(orderId)
    await market.peer.phase(works.deployment?.id ?? '', 'Closed')
  })
})
