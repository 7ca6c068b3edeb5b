import { getOrder } from '@rackfair/sdk'
import { type Cluster, POD_CIDR, startCluster, visit, whyNoCluster } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadOperatorKey } from '../../config/operatorKey.ts'
import { AGENT_TIMES } from '../../foundation/times.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { isDeep } from '../../testing/ownImageBase.ts'
import { IMAGE_CACHE, setupMarket, startTestAgent, type TestMarket } from '../../testing/setupAgent.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { rootfsTar } from '../engine/buildImage.ts'
import { recipeOf } from '../engine/imageRecipe.ts'

const NGINX = 2
const ACTIVE = 2
const REGISTRY = 'registry.invalid'
const AWAY_MS = 10 * 60_000
const GIB = 2 ** 30
/** Disks for the two pods with which the agent tests the cluster. */
const TRIED = { disks: 4, bytes: 2 ** 28 }
const LONG = { timeout: 180_000, interval: 500 }
const reason = isDeep ? (whyNoCluster() ?? whyNoContainers()) : 'in npm run test:deep'

/** A complete agent on a real cluster, in real time: an outage of the API server harms nobody. */
describe.skipIf(reason)(`an agent whose cluster is away for ten minutes (${reason ?? 'here'})`, () => {
  let cluster: Cluster & { stop(): Promise<void> }
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  const closing: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    cluster = await startCluster()
    closing.push(() => cluster.stop())
    const image = recipeOf(loadCatalog().get(NGINX)?.app.image ?? '', PRESETS_FOLDER)
    if (!image) throw new Error('no recipe of nginx')
    const { entrypoint, command, user } = image.recipe
    const tar = await rootfsTar(image, IMAGE_CACHE, { onProgress: console.log })
    await cluster.addImage(tar, `${REGISTRY}/rackfair/nginx:latest`, { Entrypoint: entrypoint, Cmd: command, User: user })
    await cluster.addDisks(TRIED.disks, TRIED.bytes)
    const wall = { bridge: 'pods0', subnet: POD_CIDR, openPods: [] }
    const kubernetes = { kubeconfig: cluster.kubeconfig.admin, registry: REGISTRY, diskGb: 1000, wall }
    market = await setupMarket((config) => ({ ...config, oversell: true, kubernetes: kubernetes as never }))
    closing.push(() => market.close())
    agent = await startTestAgent(market, { times: AGENT_TIMES })
    closing.push(() => agent.stop())
    const [node] = await agent.chain.nodes()
    await cluster.addDisks(1, (node?.nDISK ?? 0) * GIB)
  }, 400_000)
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  }, 120_000)

  it('keeps its order, which responds throughout, reports the outage, and resumes', {
    timeout: AWAY_MS + 600_000,
  }, async () => {
    const { buyer, peer, provider } = market
    const orderId = await buyer.buy(provider, 1n)
    const answer = await peer.deploy(await buyer.sign({ orderId, deployId: NGINX, provider }))
    const deploymentId = answer.deployment?.id ?? ''
    await peer.phase(deploymentId, 'Running')
    const order = () => getOrder(buyer.client, buyer.addresses, orderId)
    await vi.waitFor(async () => expect((await order()).status).toBe(ACTIVE), LONG)
    const link = `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`
    const before = await agent.runtime.find(orderId)
    const operator = loadOperatorKey(market.config().operatorKeyFile).address
    const sent = () => buyer.client.getTransactionCount({ address: operator })
    const sentBefore = await sent()
    const saidBefore = agent.lines.length
    const heartbeats = peer.heartbeats()
    const answers = new Map<number, number>()

    await cluster.halt('kube-apiserver')
    const back = Date.now() + AWAY_MS
    while (Date.now() < back) {
      const { status } = await visit(link)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    expect([...answers.keys()], 'its visitors are answered all the time').toEqual([200])
    expect(await order()).toMatchObject({ status: ACTIVE })
    expect(peer.heartbeats()).toBeGreaterThan(heartbeats + AWAY_MS / 60_000)
    expect(agent.manager.node(1n)?.healthy, 'to monitors').toBe(true)
    expect(agent.lines.slice(saidBefore).join()).toContain("the cluster's API server does not do what it is asked: ")
    expect(peer.statuses.at(-1)?.steps.at(-1)).toMatchObject({ phase: 'Degraded', code: 'engine_unavailable' })
    await cluster.resume('kube-apiserver')

    await vi.waitFor(async () => expect(await agent.runtime.find(orderId)).toEqual(before), LONG)
    expect(await sent()).toBe(sentBefore)
    await vi.waitFor(() => expect(peer.statuses.at(-1)?.steps.at(-1)?.phase).toBe('Running'), LONG)
    expect(peer.statuses.flatMap(({ steps }) => steps.map(({ phase }) => phase))).not.toContain('Failed')
    await agent.manager.power(orderId, 'restart')
    await vi.waitFor(async () => expect((await visit(link)).status).toBe(200), LONG)
    expect((await agent.runtime.find(orderId))?.upstream?.start).not.toBe(before?.upstream?.start)
    await buyer.cancel(orderId)
    await vi.waitFor(async () => expect(await agent.runtime.ordersWithData()).toEqual([]), LONG)
  })
})
