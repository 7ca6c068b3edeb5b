import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getNode } from '@rackfair/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkGpus } from '../../commands/doctor/checkGpus.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { workloadName } from '../../runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../../runtime/engine/podmanService.ts'
import { gpuStandIn } from '../../testing/gpuStandIn.ts'
import { setupMarket, startTestAgent, type TestMarket } from '../../testing/setupAgent.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const NGINX = 2
const reason = whyNoContainers() ?? (availableParallelism() < 2 ? 'two nodes need two cores' : undefined)

/** This project has run no real card of any vendor: the stand-in covers everything except computing. */
describe.skipIf(reason)(`an order with a GPU (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  let cards: Awaited<ReturnType<typeof gpuStandIn>>
  let orderId: bigint
  let deploymentId: string
  const stop: (() => Promise<void> | void)[] = []

  beforeAll(async () => {
    cards = await gpuStandIn([{ name: 'GeForce RTX 4090' }, { name: 'GeForce RTX 3090', broken: true }])
    stop.unshift(() => cards.close())
    market = await setupMarket()
    stop.unshift(() => market.close())
    agent = await startTestAgent(market)
    stop.unshift(() => agent.stop())
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const inside = async (line: string) => {
    const { instance } = market.config()
    const paths = podmanPaths(join(market.data, 'engine'), instance)
    const command = ['exec', workloadName(instance, orderId), '/bin/sh', '-c', line]
    return (await runCommand('podman', [...podmanArguments(paths), ...command], { env: podmanEnvironment(paths) })).stdout.trim()
  }
  const isOnline = async (nodeId: bigint) =>
    (await getNode(market.buyer.client, market.buyer.addresses, market.provider, nodeId)).online
  const [FIRST, SECOND] = [1n, 2n]

  it('is listed only once a container with its GPU started; otherwise the node is taken off the market', async () => {
    const nodes = await agent.chain.nodes()
    expect(nodes.map((one) => [one.gpuModel, one.nGPU])).toEqual([
      ['RTX 4090', 1],
      ['RTX 3090', 1],
    ])
    expect(agent.lines.find((line) => line.includes('a GPU works in a container'))).toContain(
      `GPU ${cards.gpus[0]?.index}: NVIDIA`,
    )
    const lines = agent.lines.map((line) => JSON.parse(line))
    const tried = lines.find((line) => line.msg === 'a GPU does not work in a container')
    expect(tried).toMatchObject({ model: 'RTX 3090', reason: expect.stringContaining(cards.gpus[1]?.file ?? '') })
    // Buyers read this one, so it names no file of the machine.
    const fault = lines.find((line) => line.msg.startsWith('a GPU cannot be used'))
    expect(fault).toMatchObject({ level: 50, model: 'RTX 3090', problem: 'a container with it cannot be started' })
    await expect.poll(() => isOnline(SECOND)).toBe(false)
    expect(await isOnline(FIRST)).toBe(true)
  })

  it('starts with its own GPU and no other', async () => {
    orderId = await market.buyer.buy(market.provider, FIRST)
    const answer = await market.peer.deploy(await market.buyer.sign({ orderId, deployId: NGINX, provider: market.provider }))
    expect(answer).toMatchObject({ status: 202 })
    deploymentId = answer.deployment?.id ?? ''
    await market.peer.phase(deploymentId, 'Running')
    expect(await inside('nvidia-smi -L')).toBe(
      `GPU ${cards.gpus[0]?.index}: NVIDIA GeForce RTX 4090 (UUID: ${cards.gpus[0]?.uuid})`,
    )
    expect(await inside('ls /dev/rackfair-*')).toBe(cards.gpus[0]?.file)
    expect(await inside(`echo computed > ${cards.gpus[0]?.file} && echo wrote`)).toBe('wrote')
  })

  it('warns its buyer of an overheated card, and pauses sales of the node until it has cooled', async () => {
    const phase = () => market.peer.statuses.findLast((one) => one.id === deploymentId)?.steps.at(-1)
    cards.tell([97, 40])
    for (let poll = 0; poll < 3; poll += 1) await agent.gpus.poll()
    await expect.poll(phase).toMatchObject({
      phase: 'Degraded',
      code: 'gpu_unavailable',
      message: 'GPU RTX 4090: it is 97 °C hot',
    })
    await expect.poll(() => isOnline(FIRST)).toBe(false)
    cards.tell([60, 40])
    await agent.gpus.poll()
    await expect.poll(phase).toMatchObject({ phase: 'Running' })
    await expect.poll(() => isOnline(FIRST)).toBe(true)
    // It kept running meanwhile.
    expect(await inside('nvidia-smi -L')).toContain('RTX 4090')
  })

  it('is tested by the doctor as well', async () => {
    const checks = await checkGpus(market.config(), market.data, true, () => {})
    expect(checks).toEqual([
      { name: `GPU ${cards.gpus[0]?.index} (RTX 4090)`, ok: true, found: expect.stringContaining('UUID') },
      expect.objectContaining({ ok: false, found: expect.stringContaining(cards.gpus[1]?.file ?? '') }),
    ])
  })
})
