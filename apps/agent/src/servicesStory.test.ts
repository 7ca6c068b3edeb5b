import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { imageList } from '@rackfair/app-spec/services/Application'
import { applicationText } from '@rackfair/app-spec/services/applicationText'
import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import { builtProgram, visit, whyItRests } from '@rackfair/testkit'
import { keccak256, stringToBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultPoint } from './foundation/faultPoint.ts'
import { runCommand } from './foundation/runCommand.ts'
import { workloadName } from './runtime/engine/names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from './runtime/engine/podmanService.ts'
import { cutPower } from './testing/cutPower.ts'
import { killProcess } from './testing/killProcess.ts'
import { busybox } from './testing/ownImageBase.ts'
import { portsBeside, setupMarket, startTestAgent, type TestMarket } from './testing/setupAgent.ts'
import { packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from './testing/startRegistry.ts'
import { whyNoContainers } from './testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyNoRegistry()
const LONG = { timeout: 60_000, interval: 100 }
const PROGRAM = await builtProgram('agent')

describe.skipIf(reason)(`an application of several services, from signature to clean (${reason ?? 'here'})`, () => {
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
    await registry.push('acme/web', '1', { layers: [base], config: { Entrypoint: ['/bin/sh', '-c'] } })
    await registry.push('acme/db', '1', { layers: [base], config: { Entrypoint: ['/bin/sh', '-c'], WorkingDir: '/data' } })
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const say = (port: number) =>
    new Promise<string>((resolve) => {
      let heard = ''
      const socket = connect({ host: '127.0.0.1', port })
      socket.on('data', (chunk) => {
        heard += chunk
      })
      socket.on('error', () => {})
      socket.once('close', () => resolve(heard))
      socket.end()
    })
  const application = () => {
    const read = parseApplication({
      services: {
        web: {
          image: `${registry.host}/acme/web:1`,
          args: [
            'while :; do busybox nc store 5432 < /dev/null > /new; busybox mv /new /index.html; busybox sleep 0.2; done & busybox httpd -f -p 8080 -h /',
          ],
          ports: [{ protocol: 'http', port: 8080 }],
          after: { db: 'healthy', seed: 'done' },
        },
        seed: {
          image: `${registry.host}/acme/db:1`,
          args: ['echo "$WORD" > /data/rows; echo seeded'],
          secrets: ['WORD'],
          volumes: { '/data': 'rows' },
          once: true,
        },
        db: {
          image: `${registry.host}/acme/db:1`,
          args: ['echo db begins; while :; do busybox cat /data/rows | busybox nc -l -p 5432; done'],
          ports: [{ protocol: 'tcp', port: 5432 }],
          volumes: { '/data': 'rows' },
          check: { command: ['/bin/sh', '-c', 'busybox test -d /data'] },
          aliases: ['store'],
        },
      },
    }).application
    if (!read) throw new Error('the application of the test is malformed')
    return applicationText(read)
  }

  it('starts in order, is looked after service by service, survives the agent, and leaves nothing', async () => {
    const { buyer, peer, provider } = market
    const orderId = await buyer.buy(provider, 1n)
    const signed = await buyer.sign({
      ...{ orderId, deployId: OWN_APP_DEPLOY_ID, provider, app: application(), env: { WORD: 'a word that was sealed' } },
    })
    const answer = await peer.deploy(signed)
    expect(answer).toMatchObject({ status: 202 })
    const id = answer.deployment?.id ?? ''
    const running = await peer.phase(id, 'Running')
    expect(running.steps.map(({ phase }) => phase)).toEqual(['Accepted', 'Pulling', 'Creating', 'Starting', 'Running'])
    expect(running.details?.services).toEqual([
      { service: 'web', state: 'running' },
      { service: 'db', state: 'running' },
      { service: 'seed', state: 'done', code: 0 },
    ])
    const outside = running.details?.ports?.[0]?.outside ?? 0
    expect(running.details?.ports).toEqual([{ protocol: 'tcp', port: 5432, outside, service: 'db' }])
    const page = async () =>
      (await visit(`${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`)).text()
    await expect.poll(page, LONG).toBe('a word that was sealed\n')
    await expect.poll(() => say(outside), LONG).toBe('a word that was sealed\n')

    // What monitors are told it runs can be computed from what its renter is told.
    const images = running.details?.images ?? []
    expect(images.map(({ service, image }) => [service, image.replace(/@.*/, '')])).toEqual(
      expect.arrayContaining([['web', `${registry.host}/acme/web:1`]]),
    )
    const list = imageList(images.map(({ service, digest }) => ({ service, digest: `sha256:${digest.slice(2)}` })))
    const known = agent.manager.node(1n)?.runs
    expect(known).toMatchObject({ deploymentId: id, imageId: keccak256(stringToBytes(list)).slice(2) })

    const startOf = async (service?: string) => (await agent.runtime.find(orderId, service))?.upstream?.start
    const [web, db] = [await startOf(), await startOf('db')]
    await agent.manager.power(orderId, 'restart', 'db')
    expect([await startOf(), await startOf('db')]).toEqual([web, expect.not.stringMatching(db ?? '')])
    await expect(agent.manager.power(orderId, 'restart', 'none')).rejects.toMatchObject({ code: 'service_unknown' })
    expect(await agent.runtime.logs(orderId, 5, 'db')).toContain('db begins')

    await agent.runtime.stopService(orderId, 'db')
    await agent.manager.reconcile()
    await expect.poll(async () => (await agent.runtime.find(orderId, 'db'))?.running, LONG).toBe(true)
    await expect.poll(() => say(outside), LONG).toBe('a word that was sealed\n')
    expect(await startOf()).toBe(web)

    const restarted = await startOf('db')
    await agent.stop()
    agent = await startTestAgent(market)
    await expect.poll(() => say(outside), LONG).toBe('a word that was sealed\n')
    expect([await startOf(), await startOf('db')]).toEqual([web, restarted])

    const cleaned = await peer.deploy(await buyer.sign({ orderId, deployId: 0, provider }))
    await peer.phase(cleaned.deployment?.id ?? '', 'Cleaned')
    expect(await agent.runtime.list()).toEqual([])
    expect(await agent.runtime.ordersWithData()).toEqual([])
  }, 240_000)

  it.skipIf(whyItRests('services killed'))(
    'is found again after the agent, its engine and its machine were killed',
    async () => {
      const { buyer, peer, provider } = market
      const { instance } = market.config()
      const paths = podmanPaths(`${market.data}/engine`, instance)
      await agent.stop()
      let program: ChildProcess | undefined
      const start = async (fault?: FaultPoint) => {
        program = spawn(process.execPath, [PROGRAM, 'start', '--config', market.file], {
          env: { ...process.env, RACKFAIR_FASTER: '10', ...(fault ? { RACKFAIR_FAULT_POINT: fault } : {}) },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        const heard = peer.heartbeats()
        await peer.until('the agent is heard', () => peer.heartbeats() > heard)
        return program
      }
      const kill = async () => {
        if (!program || program.exitCode !== null || program.signalCode !== null) return
        const ended = once(program, 'exit')
        program.kill('SIGKILL')
        await ended
      }
      try {
        const orderId = await buyer.buy(provider, 2n)
        const page = async () =>
          (await visit(`${market.gateway}/?OrderId=${orderId}&UserAddress=${market.chain.accounts.user.address}`)).text()
        const processes = async () => {
          const names = [undefined, 'db', 'seed'].map((service) => workloadName(instance, orderId, service))
          const args = [...podmanArguments(paths), 'inspect', '--format', '{{.Name}} {{.State.Pid}}', ...names]
          return (await runCommand('podman', args, { env: podmanEnvironment(paths) })).stdout.trim().split('\n').sort()
        }
        const app = application()
        const first = await start('created')
        const signed = await buyer.sign({ orderId, deployId: OWN_APP_DEPLOY_ID, provider, app, env: { WORD: 'kept' } })
        peer.deploy(signed).catch(() => {})
        if (first.signalCode === null) await once(first, 'exit')
        expect(first.signalCode).toBe('SIGKILL')
        await start()
        await expect.poll(page, LONG).toBe('kept\n')
        const running = await processes()
        expect(running).toEqual([
          expect.stringMatching(/-\d+ [1-9]/),
          expect.stringMatching(/\.db [1-9]/),
          expect.stringMatching(/\.seed 0$/),
        ])

        await kill()
        killProcess(readFileSync(`${paths.run}/service.pid`, 'utf8'))
        await start()
        await expect.poll(page, LONG).toBe('kept\n')
        expect(await processes()).toEqual(running)

        await cutPower({ instance, data: market.data, file: market.file })
        expect(program?.signalCode).toBe('SIGKILL')
        await start()
        await expect.poll(page, LONG).toBe('kept\n')
        expect((await processes()).map((one) => one.replace(/ [1-9]\d*$/, ' runs'))).toEqual(
          running.map((one) => one.replace(/ [1-9]\d*$/, ' runs')),
        )
        expect(await processes()).not.toEqual(running)
        const cleaned = await peer.deploy(await buyer.sign({ orderId, deployId: 0, provider }))
        await peer.phase(cleaned.deployment?.id ?? '', 'Cleaned')
      } finally {
        await kill()
        agent = await startTestAgent(market)
      }
      expect(await agent.runtime.list()).toEqual([])
    },
    240_000,
  )
})
