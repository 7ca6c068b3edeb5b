import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registryAbi } from '@rackfair/contracts'
import type { ImagePromise } from '@rackfair/protocol/deployments'
import { type PromisedImage, promiseData } from '@rackfair/sdk/uptime'
import { type Hex, recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadCatalog } from '../presets/loadCatalog.ts'
import { setupMarket, startTestAgent, type TestMarket } from '../testing/setupAgent.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'

const NGINX = 2
const UBUNTU = 3
const SLOW = { timeout: 120_000, interval: 200 }
const presets = loadCatalog()
const appOf = (deployId: number) => {
  const preset = presets.get(deployId)
  if (!preset) throw new Error(`no preset ${deployId}`)
  return preset.app
}
const reason = whyNoContainers()

describe.skipIf(reason)(`an application stopped and started by its renter (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  let orderId: bigint

  beforeAll(async () => {
    market = await setupMarket((config) => ({ ...config, stopWorkloadsOnExit: false }))
    agent = await startTestAgent(market)
    orderId = await market.buyer.buy(market.provider, 1n)
    await market.peer.deploy(await market.buyer.sign({ orderId, deployId: UBUNTU, provider: market.provider }))
    await market.peer.until('it runs', () => phase() === 'Running')
    await run('echo mine > ~/kept; echo gone > /tmp/lost')
  })
  afterAll(async () => {
    for (const one of await agent.runtime.list()) await agent.runtime.remove(one.orderId, { wipe: true })
    await agent.stop()
    await market.close()
  })

  const deployment = () => market.peer.statuses.findLast((one) => one.orderId === String(orderId))
  const phase = () => deployment()?.phase
  const startOf = async () => (await agent.runtime.find(orderId))?.upstream?.start
  const run = async (script: string): Promise<string> => {
    const { stdin, stdout, exitCode } = await agent.runtime.exec(orderId, ['/bin/sh', '-c', script])
    stdin.end()
    let said = ''
    for await (const chunk of stdout) said += chunk
    await exitCode
    return said.trim()
  }

  it('restarts with the content of its disk, and reports no failure', async () => {
    const before = await startOf()
    const { stream } = await agent.runtime.terminal(orderId, ['/bin/bash'], { columns: 80, rows: 24 })
    stream.resume()
    await agent.manager.power(orderId, 'restart')
    await expect.poll(async () => [phase(), (await startOf()) !== before], SLOW).toEqual(['Running', true])
    expect(await run('cat ~/kept')).toBe('mine')
    expect(deployment()?.steps.map((step) => step.phase)).not.toContain('Degraded')
    expect(
      deployment()
        ?.steps.slice(-2)
        .map((step) => step.phase),
    ).toEqual(['Starting', 'Running'])
  })

  it('stays stopped, even over a restart of the agent, until it is started', async () => {
    await agent.manager.power(orderId, 'stop')
    expect((await agent.runtime.find(orderId))?.running).toBe(false)
    await expect.poll(phase, SLOW).toBe('Stopped')
    await agent.manager.reconcile()
    expect((await agent.runtime.find(orderId))?.running).toBe(false)
    expect(agent.manager.visit(orderId)).toMatchObject({ phase: 'Stopped', upstream: undefined })
    await expect(run('true')).rejects.toMatchObject({ code: 'app_not_running' })

    await agent.stop()
    agent = await startTestAgent(market)
    await agent.manager.reconcile()
    expect((await agent.runtime.find(orderId))?.running).toBe(false)
    expect(agent.manager.liveDeployments()[0]?.phase).toBe('Stopped')

    await agent.manager.power(orderId, 'start')
    await expect.poll(phase, SLOW).toBe('Running')
    expect(await run('cat ~/kept')).toBe('mine')
  })

  it('is recreated from its image with its data', async () => {
    await run('echo gone > /tmp/lost')
    await agent.manager.power(orderId, 'redeploy')
    await expect.poll(phase, SLOW).toBe('Running')
    expect(await run('cat ~/kept; ls /tmp')).toBe('mine')
  })

  it('runs the promised image, even if the catalogue has changed', async () => {
    const { promise } = deployment()?.details ?? {}
    if (!promise) throw new Error('nothing was promised')
    const { signature, ...promised } = promise as ImagePromise & PromisedImage
    const facts = { ...promised, market: market.buyer.addresses.market, orderId }
    const data = promiseData(2985, market.chain.deployment.monitors, facts)
    const signer = await recoverTypedDataAddress({ ...data, signature: signature as Hex })
    const { client, addresses } = market.buyer
    expect(signer).toBe(
      await client.readContract({
        ...{ address: addresses.registry, abi: registryAbi, functionName: 'operatorOf' },
        args: [market.provider],
      }),
    )
    const before = await agent.runtime.find(orderId)
    expect(promise.image).toBe(`0x${before?.imageId}`)
    expect(agent.manager.node(1n)?.runs).toMatchObject({ imageId: before?.imageId, promise })

    const nginx = await agent.runtime.ensureImage(appOf(NGINX))
    expect(nginx).not.toBe(before?.imageId)
    const approved = join(market.data, 'images', 'approved.json')
    const known = JSON.parse(readFileSync(approved, 'utf8'))
    const { image } = appOf(UBUNTU)
    writeFileSync(approved, JSON.stringify({ ...known, [image]: { ...known[image], imageId: nginx } }))
    await agent.manager.power(orderId, 'redeploy')
    await expect
      .poll(async () => (await agent.runtime.find(orderId))?.upstream?.start !== before?.upstream?.start, SLOW)
      .toBe(true)
    await expect.poll(phase, SLOW).toBe('Running')
    expect((await agent.runtime.find(orderId))?.imageId).toBe(before?.imageId)
    writeFileSync(approved, JSON.stringify(known))
  })

  it('is refused without an application, and during the first start', async () => {
    await expect(agent.manager.power(99n, 'restart')).rejects.toMatchObject({ code: 'app_not_running' })
    const command = agent.state.command(orderId)
    const told = agent.state.deployment(command?.deploymentId ?? '')
    if (!command || !told) throw new Error('nothing is deployed')
    const stop = async () => {
      agent.state.putCommand({ ...command, hasRun: false })
      agent.state.putDeployment({ ...told, phase: 'Pulling' })
      return agent.manager.power(orderId, 'stop').then(
        () => 'stopped',
        ({ code }) => code,
      )
    }
    // A reconciliation that holds the order at this moment sees that it is running.
    await expect.poll(stop, SLOW).toBe('agent_busy')
    agent.state.putCommand(command)
    agent.state.putDeployment(told)
    await market.peer.deploy(await market.buyer.sign({ orderId, deployId: 0, provider: market.provider }))
    await expect.poll(phase, SLOW).toBe('Cleaned')
    await expect(agent.manager.power(orderId, 'start')).rejects.toMatchObject({ code: 'app_not_running' })
  })
})
