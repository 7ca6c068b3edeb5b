import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { marketAbi, registryAbi } from '@rackfair/contracts'
import { contractCall, getNode, getOrder } from '@rackfair/sdk'
import { builtProgram, visit, whyItRests } from '@rackfair/testkit'
import { createTestClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_POINTS, type FaultPoint } from '../foundation/faultPoint.ts'
import { runCommand } from '../foundation/runCommand.ts'
import { loadCatalog } from '../presets/loadCatalog.ts'
import { tableName } from '../runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from '../runtime/engine/podmanService.ts'
import { killProcess } from '../testing/killProcess.ts'
import { setupMarket, startTestAgent, type TestMarket } from '../testing/setupAgent.ts'
import { MONTH_SECONDS } from '../testing/testBuyer.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'

const NGINX = 2
const PROGRAM = await builtProgram('agent')
/** Longer than any single timeout of the agent; minutes with RACKFAIR_DEEP=1. */
const CHAIN_AWAY_MS = process.env.RACKFAIR_DEEP === '1' ? 180_000 : 6000
const reason = whyNoContainers() ?? whyItRests('agent killed')
const OF_A_CLEAN: readonly FaultPoint[] = ['removing', 'removed']
/** The short run covers the most critical points; all of them with RACKFAIR_DEEP=1. */
const TRIED = process.env.RACKFAIR_DEEP === '1' ? FAULT_POINTS : (['accepted', 'created', 'transactionSent', 'removed'] as const)

describe.skipIf(reason)(`an interrupted agent (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let agent: ChildProcess | undefined

  beforeAll(async () => {
    market = await setupMarket((config) => ({ ...config, stopWorkloadsOnExit: false }))
    const warm = await startTestAgent(market)
    const preset = loadCatalog().get(NGINX)
    if (preset) await warm.runtime.ensureImage(preset.app)
    await warm.stop()
  })
  afterAll(async () => {
    await stopAgent()
    const last = await startTestAgent(market)
    for (const state of await last.runtime.list()) await last.runtime.remove(state.orderId, { wipe: true })
    await last.runtime.close({ stopWorkloads: true })
    await last.stop().catch(() => {})
    await market.close()
  })

  const startAgent = async (fault?: FaultPoint) => {
    agent = spawn(process.execPath, [PROGRAM, 'start', '--config', market.file], {
      env: { ...process.env, RACKFAIR_FASTER: '10', ...(fault ? { RACKFAIR_FAULT_POINT: fault } : {}) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await market.peer.connected()
    return agent
  }
  const exitOf = (child: ChildProcess) =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve(child.signalCode)
      : new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  const stopAgent = async () => {
    if (!agent) return
    agent.kill('SIGTERM')
    await exitOf(agent)
    agent = undefined
  }
  const podman = (...args: string[]) => {
    const paths = podmanPaths(`${market.data}/engine`, market.config().instance)
    return runCommand('podman', [...podmanArguments(paths), ...args], { env: podmanEnvironment(paths) })
  }
  const nameOf = (orderId: bigint) => `rackfair-${market.config().instance}-${orderId}`
  const linkOf = (orderId: bigint) => `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`
  /** Host PID of the container's first process: different after each start, 0 while it is stopped. */
  const processOf = async (orderId: bigint) =>
    Number((await podman('inspect', '--format', '{{.State.Pid}}', nameOf(orderId))).stdout)
  const killContainer = async (orderId: bigint) => {
    const killed = await processOf(orderId)
    expect(killed).toBeGreaterThan(0)
    // Not through the engine, which reports code -1 for an exit that it does not learn of within five seconds.
    process.kill(killed, 'SIGKILL')
    await eventually(async () => ![0, killed].includes(await processOf(orderId))).toBe(true)
    await eventually(async () => (await visit(linkOf(orderId))).status).toBe(200)
    expect(await containers()).toEqual([nameOf(orderId)])
  }
  const containers = async () => (await podman('ps', '--format', '{{.Names}}')).stdout.trim().split('\n').filter(Boolean)
  const order = (id: bigint) => getOrder(market.buyer.client, market.buyer.addresses, id)
  const avail = async () => (await getNode(market.buyer.client, market.buyer.addresses, market.provider, 1n)).avail
  const eventually = (read: () => Promise<unknown>) => expect.poll(read, { interval: 200 })
  const phaseOf = (orderId: bigint) => market.peer.statuses.findLast((one) => one.orderId === String(orderId))?.phase
  const ask = async (orderId: bigint, deployId: number) => {
    const request = await market.buyer.sign({ orderId, deployId, provider: market.provider })
    const answer = market.peer.deploy(request)
    answer.catch(() => {})
    return answer
  }
  /** It runs, and the chain knows. */
  const deployed = async (orderId: bigint) => {
    await ask(orderId, NGINX)
    await eventually(async () => phaseOf(orderId)).toBe('Running')
    await eventually(avail).toBe(true)
  }
  const activations = async (id: bigint) =>
    market.buyer.client.getContractEvents({
      address: market.buyer.addresses.market,
      abi: marketAbi,
      eventName: 'OrderActivated',
      args: { id },
      fromBlock: 0n,
    })
  /** As its provider can by hand, so that the agent's next transaction is that of the deployment. */
  const activate = (id: bigint) =>
    market.buyer.send(market.chain.accounts.provider, contractCall(market.buyer.addresses, 'market', 'activate', [id]))
  const availChanges = async (fromBlock: bigint) =>
    market.buyer.client.getContractEvents({
      address: market.buyer.addresses.registry,
      abi: registryAbi,
      eventName: 'NodeAvailSet',
      args: { id: 1n },
      fromBlock,
    })

  for (const fault of TRIED.filter((point) => !OF_A_CLEAN.includes(point))) {
    it(`ends with one application and one activation when killed after "${fault}"`, async () => {
      const orderId = await market.buyer.buy(market.provider, 1n)
      await activate(orderId)
      const from = await market.buyer.client.getBlockNumber()
      const child = await startAgent(fault)
      void ask(orderId, NGINX)
      expect(await exitOf(child)).toBe('SIGKILL')
      await startAgent()
      await eventually(async () => phaseOf(orderId)).toBe('Running')
      await eventually(async () => (await order(orderId)).status).toBe(2)
      await eventually(avail).toBe(true)
      await eventually(() => market.buyer.appOf(orderId)).toBe('nginx')
      expect(await containers()).toEqual([expect.stringMatching(new RegExp(`-${orderId}$`))])
      expect(await activations(orderId)).toHaveLength(1)
      expect(await availChanges(from)).toHaveLength(1)
      await market.buyer.cancel(orderId)
      await eventually(containers).toEqual([])
      await stopAgent()
    })
  }

  for (const fault of TRIED.filter((point) => point.startsWith('transaction'))) {
    it(`activates an order once when killed after "${fault}" of the activation`, async () => {
      const orderId = await market.buyer.buy(market.provider, 1n)
      expect(await exitOf(await startAgent(fault))).toBe('SIGKILL')
      await startAgent()
      await eventually(async () => (await order(orderId)).status).toBe(2)
      expect(await activations(orderId)).toHaveLength(1)
      await market.buyer.cancel(orderId)
      await stopAgent()
    })
  }

  for (const fault of TRIED.filter((point) => OF_A_CLEAN.includes(point))) {
    it(`leaves nothing when killed after "${fault}" of a clean`, async () => {
      const orderId = await market.buyer.buy(market.provider, 1n)
      await startAgent()
      await ask(orderId, NGINX)
      await eventually(async () => phaseOf(orderId)).toBe('Running')
      await eventually(avail).toBe(true)
      await stopAgent()
      expect(await containers()).toHaveLength(1)
      const child = await startAgent(fault)
      void ask(orderId, 0)
      expect(await exitOf(child)).toBe('SIGKILL')
      await startAgent()
      await eventually(async () => phaseOf(orderId)).toBe('Cleaned')
      await eventually(avail).toBe(false)
      expect(await containers()).toEqual([])
      await market.buyer.cancel(orderId)
      await stopAgent()
    })
  }

  it(
    'survives a killed container, a killed engine and an unreachable chain without loss',
    async () => {
      const orderId = await market.buyer.buy(market.provider, 1n)
      await startAgent()
      await deployed(orderId)
      await killContainer(orderId)
      const steps = market.peer.statuses.findLast((one) => one.orderId === String(orderId))?.steps
      // Until the engine knows of the exit, the application merely does not respond, which may be reported first.
      const why = steps?.filter((step) => step.phase === 'Degraded').map((step) => step.message)
      expect(why).toContainEqual(expect.stringMatching(/^it was killed \(code 137\)/))
      killProcess(readFileSync(`/run/rackfair-${market.config().instance}/service.pid`, 'utf8'))
      await killContainer(orderId)

      process.kill(market.chain.pid, 'SIGSTOP')
      await sleep(CHAIN_AWAY_MS)
      expect(await containers()).toHaveLength(1)
      process.kill(market.chain.pid, 'SIGCONT')

      await stopAgent()
      expect(await containers()).toHaveLength(1)
      await startAgent()
      await eventually(async () => phaseOf(orderId)).toBe('Running')
      await stopAgent()
      await market.buyer.cancel(orderId)
      await startAgent()
      await eventually(containers).toEqual([])
      await stopAgent()
    },
    CHAIN_AWAY_MS + 240_000,
  )

  it('serves and isolates its tenants even when started without a chain, and then resumes', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    const first = await startAgent()
    await deployed(orderId)
    first.kill('SIGKILL')
    await exitOf(first)
    await podman('kill', nameOf(orderId))
    await eventually(containers).toEqual([])
    const beats = market.peer.heartbeats()
    process.kill(market.chain.pid, 'SIGSTOP')
    try {
      await startAgent()
      await eventually(async () => (await visit(linkOf(orderId))).status).toBe(200)
      await market.peer.until('the new agent connects', () => market.peer.heartbeats() > beats)
      const clean = await market.buyer.sign({ orderId, deployId: 0, provider: market.provider })
      expect(await market.peer.ask(clean)).toMatchObject({ status: 503, code: 'chain_unreachable' })
      const table = ['table', 'inet', tableName(market.config().instance)]
      expect((await runCommand('nft', ['delete', ...table])).code).toBe(0)
      await eventually(async () => (await runCommand('nft', ['list', ...table])).code).toBe(0)
      await killContainer(orderId)
    } finally {
      process.kill(market.chain.pid, 'SIGCONT')
    }
    expect(await activations(orderId)).toHaveLength(1)
    await market.buyer.cancel(orderId)
    await eventually(containers).toEqual([])
    await stopAgent()
  })

  it('ends orders that expired while it was away', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    await startAgent()
    await deployed(orderId)
    await stopAgent()
    const test = createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
    await test.increaseTime({ seconds: MONTH_SECONDS + 60 })
    await test.mine({ blocks: 1 })
    await startAgent()
    await eventually(containers).toEqual([])
    await eventually(async () => (await getNode(market.buyer.client, market.buyer.addresses, market.provider, 1n)).sold).toBe(
      false,
    )
    await stopAgent()
  })
})
