import { join } from 'node:path'
import { type AppSpec, OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { appText } from '@rackfair/app-spec/appText'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import { monitorsAbi } from '@rackfair/contracts'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { contractCall, getOrder } from '@rackfair/sdk'
import { drawMonitors } from '@rackfair/testkit'
import pino from 'pino'
import { createTestClient, createWalletClient, http, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../../monitor/src/createMetrics.ts'
import { createMonitor } from '../../../monitor/src/createMonitor.ts'
import { openObservations } from '../../../monitor/src/openObservations.ts'
import { scheduleOf } from '../../../monitor/src/schedule.ts'
import { busybox } from '../testing/ownImageBase.ts'
import { portsBeside, setupMarket, startTestAgent, type TestMarket } from '../testing/setupAgent.ts'
import { packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from '../testing/startRegistry.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyNoRegistry()
const BOND = 1_000n * ONE_CREDIT_WEI
const LONG = { timeout: 120_000, interval: 50 }
const calendar = createCalendar(PRODUCTION_PACE)

/** Answers once and ends with 1; then computes without answering until `/data/again` is there; from then on it ends at once, with 3. */
const LINE = [
  'if [ -e /data/again ]; then exit 3; fi',
  'if [ -e /data/ran ]; then until [ -e /data/again ]; do busybox sleep 0.1; done; exit 2; fi',
  'echo yes > /data/ran; busybox httpd -p 8080 -h /; until [ -e /data/end ]; do busybox sleep 0.1; done; exit 1',
].join('\n')

describe.skipIf(reason)(`a renter whose own application fails (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let registry: TestRegistry
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  const stop: (() => Promise<unknown>)[] = []
  /** Milliseconds by which all clocks are ahead. */
  let ahead = 0
  const now = () => Math.floor((Date.now() + ahead) / 1000)

  beforeAll(async () => {
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupMarket((config) => ({
      ...config,
      gateway: { ...config.gateway, portRange: null, appPorts: portsBeside(config.gateway.port) },
      ownImages: { ...config.ownImages, localRegistries: [registry.host] },
    }))
    stop.unshift(() => market.close())
    agent = await startTestAgent(market, { clock: () => Date.now() + ahead })
    market.buyer.sealTo(await market.peer.keys())
    // An application that ends at once is started again and again: only the agent can end that.
    stop.unshift(() => agent.stop({ stopWorkloads: true }))
    const program = await busybox()
    const base = packLayer(tarOf({ 'bin/busybox': program, 'bin/sh': program }, { 'bin/busybox': '755', 'bin/sh': '755' }))
    await registry.push('acme/app', '1', { layers: [base], config: { Entrypoint: ['/bin/sh', '-c'], Cmd: ['true'] } })
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  it('is no downtime: three monitors see the node up through a crash, silence and a crash loop', async () => {
    const { client, addresses } = market.buyer
    const { monitors, draw } = await joinMonitors(3)
    const period = await drawMonitors({ client, calendar, contract: market.chain.deployment.monitors, at: goTo, send: draw })
    await goTo(calendar.startOf(period) + 10)

    const orderId = await market.buyer.buy(market.provider, 1n)
    const given = {
      image: `${registry.host}/acme/app:1`,
      args: [LINE],
      volumes: ['/data'],
      ports: [{ protocol: 'http', port: 8080 }],
    }
    const app = appText(parseAppSpec(given).spec as AppSpec as never)
    const asked = { orderId, deployId: OWN_APP_DEPLOY_ID, provider: market.provider, app, time: now() }
    const { deployment } = await market.peer.deploy(await market.buyer.sign(asked))
    await market.peer.phase(deployment?.id ?? '', 'Running')
    // A start may fail and be tried again, and the application ends, with all that runs beside it, as soon as the file is there.
    const touch = async (file: string) => {
      const begun = () => agent.runtime.exec(orderId, ['/bin/busybox', 'touch', file]).catch(() => undefined)
      await expect.poll(begun, LONG).toBeDefined()
    }
    const steps = () => market.peer.statuses.findLast(({ id }) => id === deployment?.id)?.steps ?? []
    const ended = (code: number) =>
      expect.poll(() => agent.lines.some((line) => line.includes(`ended with code ${code}`)), LONG).toBe(true)
    const isRunning = async () => (await agent.runtime.find(orderId))?.running === true
    let epochs = 0
    const observeAll = async () => {
      await goTo(now() + calendar.epochSeconds)
      await Promise.all(monitors.map((one) => one.observe()))
      epochs += 1
      for (const { observations } of monitors)
        expect(observations.reports(period), `epoch ${epochs}`).toMatchObject([{ orderId, down: 0n }])
    }

    await observeAll()
    await touch('/data/end')
    await ended(1)
    await observeAll()
    await expect.poll(isRunning, LONG).toBe(true)
    await observeAll()
    await touch('/data/again')
    await ended(2)
    await observeAll()
    await ended(3)
    await observeAll()
    await expect.poll(() => steps().at(-1), LONG).toMatchObject({ phase: 'Degraded', code: 'start_failed' })

    const { windowSeconds, endOf } = calendar
    for (const time of [endOf(period) + 200, endOf(period) + windowSeconds + 10, endOf(period) + 2 * windowSeconds + 10]) {
      await goTo(time)
      for (const one of monitors) await one.report()
    }
    for (const { observations } of monitors)
      expect(observations.reports(period)).toMatchObject([{ observed: bits(epochs), down: 0n }])
    expect(await getOrder(client, addresses, orderId)).toMatchObject({ down: 0, creditedTwice: 0 })
  })

  const bits = (count: number) => expect.toSatisfy((seen: bigint) => seen.toString(2).replaceAll('0', '').length === count)

  // No retries: a time that was set, and passed, cannot be set again because the machine was busy.
  const anvil = () =>
    createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl, { timeout: 120_000, retryCount: 0 }) })

  /** Moves the chain and all clocks to a time. */
  async function goTo(time: number): Promise<void> {
    ahead += (time - now()) * 1000
    await anvil().setNextBlockTimestamp({ timestamp: BigInt(time) })
    await anvil().mine({ blocks: 1 })
  }

  async function joinMonitors(count: number) {
    const { chain, buyer, folder } = market
    const { client, addresses } = buyer
    const { monitors: contract, findings } = chain.deployment
    const found = []
    const writers: ReturnType<typeof createWalletClient>[] = []
    for (let index = 0; index < count; index += 1) {
      const account: LocalAccount = privateKeyToAccount(generatePrivateKey())
      await anvil().setBalance({ address: account.address, value: 100n * ONE_CREDIT_WEI })
      await buyer.fund(account.address, BOND)
      await buyer.send(account, contractCall(addresses, 'credit', 'approve', [contract, BOND]))
      const writer = createWalletClient({ account, transport: http(chain.rpcUrl) })
      await client.waitForTransactionReceipt({
        hash: await writer.writeContract({
          address: contract,
          abi: monitorsAbi,
          functionName: 'join',
          args: [BOND, account.address],
          chain: null,
        }),
      })
      const observations = openObservations(join(folder, `monitor${index}.sqlite`), calendar)
      stop.unshift(async () => observations.close())
      const monitor = createMonitor({
        ...{
          account,
          signer: account,
          client,
          addresses,
          observations,
          now,
          calendar,
          writer,
          monitors: contract,
          findings,
          chainId: chain.chainId,
        },
        schedule: { ...scheduleOf(calendar), retryMs: 1 },
        ...{ metrics: createMetrics(), log: pino({ level: 'silent' }) },
      })
      found.push({ ...monitor, observations })
      writers.push(writer)
    }
    const draw = async (functionName: string, args: readonly unknown[]) => {
      const call = { address: contract, abi: monitorsAbi, functionName, args, chain: null }
      await client.waitForTransactionReceipt({ hash: await (writers[0] as (typeof writers)[0]).writeContract(call as never) })
    }
    return { monitors: found, draw }
  }
})
