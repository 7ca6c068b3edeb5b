import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { type AppSpec, OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { appText } from '@rackfair/app-spec/appText'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import { connectMarket, withAccount } from '@rackfair/sdk'
import { runJob } from '@rackfair/sdk/workspace'
import { visit, whyItRests } from '@rackfair/testkit'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fasterTimes } from './foundation/times.ts'
import { podmanPaths } from './runtime/engine/podmanService.ts'
import { createSegmentSource } from './runtime/output/segments.ts'
import { startAgent } from './start.ts'
import { killProcess } from './testing/killProcess.ts'
import { busybox } from './testing/ownImageBase.ts'
import { portsBeside, setupMarket, startTestAgent, type TestMarket } from './testing/setupAgent.ts'
import { startPlatform } from './testing/startPlatform.ts'
import { packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from './testing/startRegistry.ts'
import { whyNoContainers } from './testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyNoRegistry() ?? whyItRests('own story')
const LONG = { timeout: 120_000, interval: 200 }

describe.skipIf(reason)(`an own application, from signature to clean (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let registry: TestRegistry
  let agent: Awaited<ReturnType<typeof startTestAgent>>
  const stop: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupMarket((config) => ({
      ...config,
      gateway: { ...config.gateway, portRange: null, appPorts: portsBeside(config.gateway.port) },
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

  it('runs, is visited, is reached at its port, survives a restart of the agent, and is removed by a clean', async () => {
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
    // Of its two programs, the one that answers visitors may be first.
    await expect.poll(() => say(outside), LONG).toBe('one\n')
    const page = await visit(`${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`)
    expect(await page.text()).toBe('hello there\n')
    await expect.poll(() => market.buyer.appOf(orderId)).toBe('own-app')

    await agent.stop()
    expect(await say(outside)).toBe('')
    // It needs no registry to resume.
    await registry.stop()
    agent = await startTestAgent(market)
    await expect.poll(() => say(outside)).toBe('one\n')
    await registry.start()

    const cleaned = await market.peer.deploy(await market.buyer.sign({ orderId, deployId: 0, provider: market.provider }))
    await market.peer.phase(cleaned.deployment?.id ?? '', 'Cleaned')
    expect(await say(outside)).toBe('')
    expect(await agent.runtime.ordersWithData()).toEqual([])
    await market.buyer.cancel(orderId)
  })

  it('keeps connections to its ports while the engine restarts, and accepts new ones', async () => {
    const orderId = await market.buyer.buy(market.provider, 2n)
    const args = ['busybox nc -ll -p 7000 -e busybox cat; busybox sleep 1000']
    const given = { image: `${registry.host}/acme/app:1`, args, ports: [{ protocol: 'tcp', port: 7000 }] }
    const { deployment } = await market.peer.deploy(await sign(orderId, given))
    const running = await market.peer.phase(deployment?.id ?? '', 'Running')
    const outside = running.details?.ports?.[0]?.outside ?? 0
    const open = async () => {
      const socket = connect({ host: '127.0.0.1', port: outside })
      socket.on('error', () => {})
      await once(socket, 'connect')
      const echo = async (line: string) => {
        const heard = once(socket, 'data')
        socket.write(line)
        return String((await heard)[0])
      }
      return { socket, echo }
    }
    const { socket, echo } = await open()
    expect(await echo('before\n')).toBe('before\n')
    const engine = podmanPaths(join(market.data, 'engine'), market.config().instance)
    const pid = () => readFileSync(join(engine.run, 'service.pid'), 'utf8')
    const killed = pid()
    killProcess(killed)
    expect(await echo('without it\n')).toBe('without it\n')
    await expect.poll(async () => (await agent.runtime.list().catch(() => [])).length > 0 && pid() !== killed, LONG).toBe(true)
    await agent.manager.reconcile()
    expect(await echo('after\n')).toBe('after\n')
    const next = await open()
    expect(await next.echo('a new one\n')).toBe('a new one\n')
    for (const one of [socket, next.socket]) one.destroy()
    await market.buyer.cancel(orderId)
    await market.peer.phase(deployment?.id ?? '', 'Closed')
  })

  it('fails with a clear code when the image is unavailable, and starts afresh on the next request', async () => {
    const orderId = await market.buyer.buy(market.provider, 2n)
    const missing = await market.peer.deploy(await sign(orderId, { image: `${registry.host}/acme/none:1` }))
    const failed = await market.peer.phase(missing.deployment?.id ?? '', 'Failed')
    expect(failed.steps.at(-1)).toMatchObject({ phase: 'Failed', code: 'image_not_found' })
    const works = await market.peer.deploy(
      await sign(orderId, { image: `${registry.host}/acme/app:1`, args: ['busybox sleep 1000'] }),
    )
    // Without a port, it counts as running if it has not ended.
    await market.peer.phase(works.deployment?.id ?? '', 'Running')
    expect(works.deployment?.visitUrl).toBeNull()
    await market.buyer.cancel(orderId)
    await market.peer.phase(works.deployment?.id ?? '', 'Closed')
  })

  it('goes on while no update has its image, also over a restart of the agent, and is replaced by one that has', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    const link = `${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`
    const pageOf = async () => (await visit(link)).text()
    const deploy = async (tag: string, text: string, more = {}) => {
      const ports = [{ protocol: 'http', port: 8080 }]
      const env = { GREETING: text, SECRET: '' }
      const { deployment } = await market.peer.deploy(
        await sign(orderId, { image: `${registry.host}/acme/${tag}`, env, ports, ...more }),
      )
      return deployment?.id ?? ''
    }
    await market.peer.phase(await deploy('app:1', 'first'), 'Running')
    const [before] = await agent.runtime.list()
    expect(await pageOf()).toBe('first \n')
    await registry.push('acme/app', 'arm', { layers: [packLayer(tarOf({ x: 'x' }, {}))], config: {}, architecture: 'arm64' })
    await registry.push('acme/app', 'empty', { layers: [], config: {} })
    const causes = [
      ['app:none', 'image_not_found'],
      ['app:arm', 'image_architecture'],
      ['app:empty', undefined],
    ] as const
    for (const [tag, code] of causes) {
      const failed = await market.peer.phase(await deploy(tag, 'never'), 'Failed')
      expect(failed).toMatchObject({ details: { earlierRuns: true } })
      const { code: said, message } = failed.steps.at(-1) ?? {}
      expect([tag, code ?? said, message]).toEqual([
        tag,
        said,
        expect.stringMatching(`acme/${tag}.*the application that ran before goes on`),
      ])
      expect(await pageOf()).toBe('first \n')
    }
    await registry.stop()
    const silent = await deploy('app:none', 'never')
    await agent.stop()
    agent = await startTestAgent(market)
    await expect.poll(pageOf, LONG).toBe('first \n')
    const unreachable = await market.peer.phase(silent, 'Failed')
    expect(unreachable).toMatchObject({ details: { earlierRuns: true } })
    await registry.start()
    expect((await agent.runtime.list())[0]?.upstream).toEqual(before?.upstream)

    await market.peer.phase(await deploy('app:1', 'second'), 'Running')
    expect(await pageOf()).toBe('second \n')

    // What cannot be known before it is started: the one before takes its place again, and none of its output is taken for the reason.
    const goesOn = '; the application that ran before goes on'
    const rollback = async (change: object, message: string) => {
      const failed = await market.peer.phase(await deploy('app:1', 'third', change), 'Failed')
      expect(failed.steps.at(-1)?.message).toBe(`${message}${goesOn}`)
      expect(failed).toMatchObject({ details: { earlierRuns: true } })
      await expect.poll(pageOf, LONG).toBe('second \n')
    }
    await agent.runtime.exec(orderId, ['sh', '-c', 'echo kept > /kept'])
    await expect.poll(() => read(orderId, '/kept'), LONG).toBe('kept\n')
    await rollback({ args: ['exit 3'] }, 'it ended with code 3')
    await rollback({ args: ['echo one; echo two; exit 4'] }, 'it ended with code 4: one\ntwo')
    await rollback({ user: 'nobody-there' }, 'the image has no user nobody-there')
    // What it wrote is its own again, over a restart of the agent too.
    await agent.stop()
    agent = await startTestAgent(market)
    await expect.poll(pageOf, LONG).toBe('second \n')
    expect(await read(orderId, '/kept')).toBe('kept\n')
    await market.peer.phase(await deploy('app:1', 'fourth'), 'Running')
    expect(await pageOf()).toBe('fourth \n')
    expect(await agent.runtime.aside(orderId)).toBeUndefined()
    await market.buyer.cancel(orderId)
    await expect.poll(() => agent.runtime.list(), LONG).toEqual([])
  })

  it('runs once as a job, keeps its result, log and files over a restart of the agent, and can run again', async () => {
    const orderId = await market.buyer.buy(market.provider, 1n)
    const line = 'echo once >> /work/runs; echo $SECRET > /result; echo said; busybox sleep 1; exit 3'
    const given = { image: `${registry.host}/acme/app:1`, args: [line], secrets: ['SECRET'], volumes: ['/work'], job: 'cancel' }
    const taken = await market.peer.deploy(await sign(orderId, given, { SECRET: 'found' }))
    const id = taken.deployment?.id ?? ''
    const finished = await market.peer.phase(id, 'Finished')
    expect(finished.steps.map(({ phase }) => phase).slice(-3)).toEqual(['Starting', 'Running', 'Finished'])
    expect(finished.steps.at(-1)).toMatchObject({ code: 'job_failed', message: 'it ended with code 3' })
    expect(finished.details).toMatchObject({ job: 'cancel', exit: { code: 3, outOfMemory: false } })
    await expect.poll(() => read(orderId, '/result'), LONG).toBe('found\n')

    await agent.stop()
    agent = await startTestAgent(market)
    await agent.manager.reconcile()
    expect(agent.manager.liveDeployments()[0]).toMatchObject({ phase: 'Finished', details: { exit: { code: 3 } } })
    expect(await read(orderId, '/work/runs')).toBe('once\n')
    const log = await logOf(orderId)
    expect(log).toEqual(expect.arrayContaining(['said', 'The job ended: it ended with code 3']))

    await agent.manager.power(orderId, 'restart')
    await expect.poll(() => read(orderId, '/work/runs'), LONG).toBe('once\nonce\n')
    await expect.poll(() => agent.manager.liveDeployments()[0]?.phase, LONG).toBe('Finished')
    await market.buyer.cancel(orderId)
    await market.peer.phase(id, 'Closed')
  })

  it('does not fail as a job that ends at once, and resumes one that its renter stopped', async () => {
    const orderId = await market.buyer.buy(market.provider, 2n)
    const image = `${registry.host}/acme/app:1`
    const first = await market.peer.deploy(await sign(orderId, { image, args: ['true'], job: 'keep' }))
    const done = await market.peer.phase(first.deployment?.id ?? '', 'Finished')
    expect(done.steps.at(-1)).not.toHaveProperty('code')
    expect(done.details?.exit).toEqual({ code: 0, outOfMemory: false })

    const args = ['[ -e /again ] || { touch /again; busybox sleep 1000; }; exit 4']
    await market.peer.deploy(await market.buyer.sign({ orderId, deployId: 0, provider: market.provider }))
    const second = await market.peer.deploy(await sign(orderId, { image, args, job: 'keep' }))
    await market.peer.phase(second.deployment?.id ?? '', 'Running')
    await expect.poll(() => read(orderId, '/again'), LONG).toBe('')
    await agent.manager.power(orderId, 'stop')
    await agent.manager.power(orderId, 'start')
    const ended = await market.peer.phase(second.deployment?.id ?? '', 'Finished')
    expect(ended.details?.exit?.code).toBe(4)
    expect(ended.steps.map(({ phase }) => phase).slice(-5)).toEqual(['Running', 'Stopped', 'Starting', 'Running', 'Finished'])
    await market.buyer.cancel(orderId)
  })

  it('streams the output of an SDK job to its caller, continues without the platform, and gives the order back', async () => {
    let platform = await startPlatform(market.chain, market.folder)
    await agent.stop()
    const config = { ...market.config(), platforms: [platform.url] }
    agent = {
      ...(await startAgent({ config, data: market.data, logger: pino({ level: 'silent' }), times: fasterTimes(10) })),
      lines: [],
    }
    const renter = withAccount(await connectMarket({ platform: platform.url }), market.chain.accounts.user)
    await expect.poll(async () => (await renter.api.node(market.provider, 1)).online, LONG).toBe(true)
    let said = ''
    let result = ''
    const job = runJob(
      renter,
      {
        on: { provider: market.provider, nodeId: 1, months: 1 },
        app: { app: specOf({ image: `${registry.host}/acme/app:1`, volumes: ['/work'] }) },
        command: [
          '/bin/sh',
          '-c',
          'echo first; until [ -e /work/go ]; do busybox sleep 1; done; echo whole > /result; echo last; exit 7',
        ],
        outputs: {
          '/result': (bytes) => {
            result += Buffer.from(bytes)
          },
        },
      },
      {
        onStdout: (bytes) => {
          said += Buffer.from(bytes)
        },
      },
    )
    await expect.poll(() => said, LONG).toBe('first\n')
    await platform.kill()
    const [one] = await agent.runtime.list()
    const { stdin, exitCode } = await agent.runtime.exec(one?.orderId ?? 0n, ['/bin/busybox', 'touch', '/work/go'])
    stdin.end()
    expect(await exitCode).toBe(0)
    await expect.poll(() => agent.manager.liveDeployments()[0]?.phase, LONG).toBe('Finished')
    platform = await startPlatform(market.chain, market.folder, [], platform.port)
    const { exitCode: code, bought, cancelled } = await job
    expect({ code, said, result }).toEqual({ code: 7, said: 'first\nlast\n', result: 'whole\n' })
    expect(cancelled?.refundedWei).toBeGreaterThan(((bought?.feeWei ?? 0n) * 99n) / 100n)
    await platform.stop()
  })

  const specOf = (given: Record<string, unknown>): AppSpec => parseAppSpec(given).spec as AppSpec
  const read = async (orderId: bigint, file: string): Promise<string | undefined> => {
    const { stdin, stdout, exitCode } = await agent.runtime.exec(orderId, ['/bin/busybox', 'cat', file])
    stdin.end()
    const said = await readText(stdout)
    return (await exitCode) === 0 ? said : undefined
  }
  const logOf = async (orderId: bigint): Promise<string[]> => {
    const source = agent.runtime.output(orderId)
    if (!source) throw new Error('no output is kept')
    const lines: string[] = []
    for (const one of [source, createSegmentSource(join(market.data, 'notes', String(orderId)))]) {
      const reader = one.open(await one.before(undefined))
      for (const { bytes } of await reader.read()) lines.push(String(bytes))
      await reader.close()
    }
    return lines
  }
})
