import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type AppSpec, OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { appText } from '@rackfair/app-spec/appText'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import { monitorsAbi } from '@rackfair/contracts'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { contractCall, createApi, getOrder } from '@rackfair/sdk'
import { verifyReceipt } from '@rackfair/sdk/receipt'
import { probeData } from '@rackfair/sdk/uptime'
import { drawMonitors } from '@rackfair/testkit'
import pino from 'pino'
import { createTestClient, createWalletClient, http, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../../monitor/src/createMetrics.ts'
import { createMonitor } from '../../../monitor/src/createMonitor.ts'
import { openObservations } from '../../../monitor/src/openObservations.ts'
import { scheduleOf } from '../../../monitor/src/schedule.ts'
import { BURST, startFlood } from '../../../monitor/src/testing/startFlood.ts'
import { busybox } from '../testing/ownImageBase.ts'
import { portsBeside, setupMarket, startTestAgent, type TestMarket } from '../testing/setupAgent.ts'
import { startPlatform } from '../testing/startPlatform.ts'
import { packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from '../testing/startRegistry.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyNoRegistry()
const BOND = 1_000n * ONE_CREDIT_WEI
/** Connections in which a stranger says half of what it began. */
const SILENT = 50
const LONG = { timeout: 120_000, interval: 50 }
const calendar = createCalendar(PRODUCTION_PACE)

/** Answers once and ends with 1; then computes without answering until `/data/again` is there; from then on it ends at once, with 3. */
const LINE = [
  'if [ -e /data/again ]; then exit 3; fi',
  'if [ -e /data/ran ]; then until [ -e /data/again ]; do busybox sleep 0.1; done; exit 2; fi',
  'echo yes > /data/ran; busybox httpd -p 8080 -h /; until [ -e /data/end ]; do busybox sleep 0.1; done; exit 1',
].join('\n')

describe.skipIf(reason)(`what is not the provider's fault (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let monitors: Awaited<ReturnType<typeof joinMonitors>>
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
    monitors = await joinMonitors(3)
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

  it('takes nothing of a receipt: an application that crashes, is silent and crashes in a loop', async () => {
    const period = await nextPeriod()
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
      epochs += 1
      await observe(period, orderId, epochs)
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

    await requireAllPaid(period, orderId, epochs)
  })

  it('takes nothing of a receipt: a stranger that asks three times a second, and is silent once it is answered', async () => {
    const period = await nextPeriod()
    const orderId = await market.buyer.buy(market.provider, 2n)
    const { client, addresses } = market.buyer
    await expect.poll(async () => (await getOrder(client, addresses, orderId)).activateTime, LONG).toBeGreaterThan(0)
    const stranger = privateKeyToAccount(generatePrivateKey())
    const { port } = market.config().gateway
    const contract = market.chain.deployment.monitors
    // It holds connections open beside them, and sends the half of a question in each.
    const silent = Array.from({ length: SILENT }, () => connect({ host: '127.0.0.1', port }))
    for (const socket of silent) socket.on('error', () => {}).write('POST /.rackfair/attestation HTTP/1.1\r\nHost: x\r\n')
    let epochs = 0
    for (; epochs < 3; epochs += 1) {
      const epoch = calendar.epochAt(now() + calendar.epochSeconds)
      const signature = await stranger.signTypedData(probeData(2985, contract, { provider: market.provider, epoch }))
      const question = { monitor: stranger.address, epoch, beacon: `0x${'be'.repeat(32)}`, nodes: ['2'], signature }
      const bodies = ['{}', JSON.stringify(question)].map((body) => ['attestation', body] as const)
      const flood = startFlood({ port, tls: false, localAddress: '127.0.0.1', perSecond: 3, bodies })
      try {
        await flood.reached(BURST)
        await observe(period, orderId, epochs + 1)
        expect([...flood.statuses.keys()]).toContain(429)
        expect(flood.statuses.has(200)).toBe(false)
      } finally {
        await flood.stop()
      }
    }
    for (const socket of silent) socket.destroy()
    await requireAllPaid(period, orderId, epochs)
  })

  /** The beginning of the next period for which the monitors are drawn. */
  async function nextPeriod(): Promise<number> {
    const { client } = market.buyer
    const contract = market.chain.deployment.monitors
    const period = await drawMonitors({ client, calendar, contract, at: goTo, send: monitors.draw })
    await goTo(calendar.startOf(period) + 10)
    return period
  }

  /** All monitors look at the next epoch, and have seen the order up in all so far. */
  async function observe(period: number, orderId: bigint, epoch: number): Promise<void> {
    await goTo(now() + calendar.epochSeconds)
    await Promise.all(monitors.all.map((one) => one.observe()))
    for (const { observations } of monitors.all)
      expect(reportOf(observations, period, orderId), `epoch ${epoch}`).toMatchObject({ observed: bits(epoch), down: 0n })
  }

  /** Every second of the order is the provider's: in what is reported, in the contract and in the receipt of a platform. */
  async function requireAllPaid(period: number, orderId: bigint, epochs: number): Promise<void> {
    const { client, addresses } = market.buyer
    const { windowSeconds, endOf } = calendar
    for (const time of [endOf(period) + 200, endOf(period) + windowSeconds + 10, endOf(period) + 2 * windowSeconds + 10]) {
      await goTo(time)
      for (const one of monitors.all) await one.report()
    }
    for (const { observations } of monitors.all)
      expect(reportOf(observations, period, orderId)).toMatchObject({ observed: bits(epochs), down: 0n })
    await market.buyer.cancel(orderId)
    await goTo(now() + 25 * 3600)
    await market.buyer.send(market.chain.accounts.user, contractCall(addresses, 'market', 'proSettle', [orderId]))
    const { activateTime, rate, totalValue, down, creditedTwice } = await getOrder(client, addresses, orderId)
    expect({ down, creditedTwice }).toEqual({ down: 0, creditedTwice: 0 })

    const platform = await startPlatform(market.chain, mkdtempSync(join(market.folder, 'platform-')))
    try {
      const api = createApi({ baseUrl: platform.url })
      const id = String(orderId)
      // A platform that has not read so far yet knows no such order, or one that runs.
      const isSettled = async () => (await api.receipt(id).catch(() => undefined))?.totals.escrow === '0'
      await expect.poll(isSettled, LONG).toBe(true)
      const found = await api.receipt(id)
      const earned = accruedWei(rate, found.order.closeTime - activateTime)
      expect(found.totals).toMatchObject({ earned: String(earned), refunded: String(totalValue - earned), compensated: '0' })
      expect(found.spans.filter(({ kind }) => kind === 'down')).toEqual([])
      const verdict = await verifyReceipt(client, market.chain.deployment.access, found, await api.orderEvidence(id))
      expect(verdict.checks.flatMap(({ differences }) => differences)).toEqual([])
    } finally {
      await platform.stop()
    }
  }

  const reportOf = (observations: ReturnType<typeof openObservations>, period: number, orderId: bigint) =>
    observations.reports(period).find((one) => one.orderId === orderId)

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
    return { all: found, draw }
  }
})
