import { connect } from 'node:net'
import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { ownApplication } from '../../presets/ownApplication.ts'
import { bringServices, makeServices, serviceSteps } from '../../testing/bringServices.ts'
import { COMPOSE_APPS, COMPOSE_IMAGES, type ComposeApp } from '../../testing/composeApps.ts'
import { debianLayer, isDeep } from '../../testing/ownImageBase.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { startRegistry, type TestRegistry, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const reason = isDeep ? (whyNoContainers() ?? whyNoRegistry()) : 'only in npm run test:deep'
const ALLOWANCE = { cores: 1, memoryBytes: 2 ** 30, diskBytes: 2 * 2 ** 30, gpus: [] }
const LONG = { timeout: 120_000, interval: 200 }

/** Applications of several services beyond what each commit tries: whole compose files, and what one service does to the others. */
describe.skipIf(reason)(`several services, at length (${reason ?? 'here'})`, () => {
  let registry: TestRegistry
  let market: TestRuntime
  const stop: (() => unknown)[] = []

  beforeAll(async () => {
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupRuntime({ ownImages: { localRegistries: [registry.host] } })
    stop.unshift(() => market.close())
    const layers = [await debianLayer()]
    for (const [name, config] of Object.entries(COMPOSE_IMAGES)) await registry.push(`compose/${name}`, '1', { layers, config })
  }, 600_000)
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const read = (file: string, sandbox?: 'gvisor') => {
    const { application, values, problems } = readPasted(file.replace(/image: (\w+)/g, `image: ${registry.host}/compose/$1:1`))
    if (!application) throw new Error(JSON.stringify(problems))
    return ownApplication(sandbox ? { ...application, sandbox } : application, values)
  }
  /** What a command writes that runs in a service. */
  const said = async (orderId: bigint, command: readonly string[], service?: string): Promise<string> => {
    const { stdout } = await market.runtime.exec(orderId, command, { service })
    let text = ''
    for await (const chunk of stdout) text += chunk
    return text
  }
  const runs = (orderId: bigint, service?: string) => said(orderId, ['echo', 'runs'], service)
  const addressOf = async (orderId: bigint, service?: string) => (await market.runtime.find(orderId, service))?.upstream?.address
  const use = async (orderId: bigint, { port, send }: ComposeApp): Promise<string> => {
    const address = await addressOf(orderId)
    if (send === undefined)
      return fetch(`http://${address}:${port}/`).then(
        async (answer) => (await answer.text()).trim(),
        (error) => String(error.cause ?? error),
      )
    return new Promise((resolve) => {
      let heard = ''
      const socket = connect({ host: address, port }, () => socket.write(send))
      socket.on('data', (chunk) => {
        heard += chunk
        socket.end()
      })
      socket.on('error', (error) => resolve(String(error)))
      socket.once('close', () => resolve(heard))
      socket.setTimeout(5000, () => socket.destroy())
    })
  }

  it.each(COMPOSE_APPS.map((app, index) => [app.name, BigInt(index + 1), app] as const))(
    '%s: is used, restarted, updated with what it kept, and cleaned',
    async (_name, orderId, app) => {
      const first = { orderId, deploymentId: 'first', application: read(app.file), allowance: ALLOWANCE }
      const run = await bringServices(market.runtime, first)
      await expect.poll(() => use(orderId, app), LONG).toMatch(app.says)

      await market.runtime.stop(orderId)
      await serviceSteps(market.runtime, first).start(run)
      await expect.poll(() => use(orderId, app), LONG).toMatch(app.saysAgain)

      const second = {
        ...first,
        ...{ deploymentId: 'second', application: read(app.file.replace(/VERSION(: |=)one/g, 'VERSION$1two')) },
      }
      await makeServices(market.runtime, second, 'prepare')
      expect(await use(orderId, app)).toMatch(app.saysAgain)
      expect(await market.runtime.setAside(orderId, { keepVolumes: true })).toBe(true)
      await bringServices(market.runtime, second)
      await expect.poll(() => use(orderId, app), LONG).toMatch(app.saysAgain)
      await market.runtime.dropAside(orderId)
      expect(await said(orderId, ['printenv', 'VERSION'])).toBe('two\n')

      await market.runtime.remove(orderId, { wipe: true })
      await market.runtime.removeOutput(orderId)
      expect(await market.runtime.ordersWithData()).toEqual([])
      expect(await market.runtime.list()).toEqual([])
    },
    300_000,
  )

  const THREE = `
services:
  web: {image: python, command: ["-m", "http.server", "8000"], ports: ["80:8000"], depends_on: [cache, other]}
  cache: {image: redis}
  other: {image: shell, command: ["exec sleep 100000"]}
`

  it('one that starts processes without end, which leave their parents, keeps none of the others from theirs', async () => {
    const [storm, neighbour] = [21n, 22n]
    for (const orderId of [storm, neighbour])
      await bringServices(market.runtime, { orderId, deploymentId: 'a', application: read(THREE), allowance: ALLOWANCE })
    const line = `#include <unistd.h>
int main(void) {
  if (fork()) return 0;
  setsid();
  for (int n = 0; n < 6000; n++) if (fork() == 0) { setsid(); pause(); }
  pause();
}`
    const place = await market.runtime.exec(storm, ['sh', '-c', `printf '%s' '${line}' > /tmp/s.c; tcc -o /tmp/s /tmp/s.c`], {
      service: 'other',
    })
    expect(await place.exitCode).toBe(0)
    // With the command's own streams it would last as long as what it started.
    const began = await market.runtime.exec(storm, ['sh', '-c', '/tmp/s < /dev/null > /dev/null 2>&1'], { service: 'other' })
    expect(await began.exitCode).toBe(0)
    await expect.poll(async () => (await market.runtime.usage(storm, 'other'))?.processes ?? 0, LONG).toBeGreaterThan(1500)
    for (const service of [undefined, 'cache']) {
      expect(await runs(storm, service)).toBe('runs\n')
      expect((await market.inside(storm, 'echo runs', '/bin/sh', service)).output).toBe('runs\n')
    }
    expect((await fetch(`http://${await addressOf(storm)}:8000/`)).status).toBe(200)
    expect(await runs(neighbour, 'other')).toBe('runs\n')
    expect((await runCommand('echo', ['runs'])).stdout).toBe('runs\n')

    await market.runtime.stopService(storm, 'other')
    await expect.poll(async () => (await market.runtime.usage(storm))?.processes ?? 9999, LONG).toBeLessThan(100)
    await market.runtime.start(storm, 'other')
    expect(await runs(storm, 'other')).toBe('runs\n')
    for (const orderId of [storm, neighbour]) await market.runtime.remove(orderId, { wipe: true })
    expect(await market.runtime.list()).toEqual([])
  }, 300_000)

  it('behind a kernel of their own they reach each other by name, share their volumes and are restarted one by one', async ({
    skip,
  }) => {
    skip(market.runtime.whyNoGvisor !== undefined, market.runtime.whyNoGvisor)
    const app = COMPOSE_APPS[0]
    if (!app) throw new Error('no application')
    const one = { orderId: 31n, deploymentId: 'a', application: read(app.file, 'gvisor'), allowance: ALLOWANCE }
    await bringServices(market.runtime, one)
    await expect.poll(() => use(31n, app), LONG).toMatch(app.says)
    for (const service of [undefined, 'cache']) {
      expect((await market.runtime.find(31n, service))?.sandboxed).toBe(true)
      expect((await market.inside(31n, 'uname -r', '/bin/sh', service)).output).toBe('4.4.0\n')
    }
    const web = await market.runtime.find(31n)
    await market.runtime.stopService(31n, 'cache')
    await market.runtime.start(31n, 'cache')
    await expect.poll(() => use(31n, app), LONG).toMatch(app.saysAgain)
    expect((await market.runtime.find(31n))?.upstream).toEqual(web?.upstream)
    await market.runtime.remove(31n, { wipe: true })
    expect(await market.runtime.ordersWithData()).toEqual([])
  }, 300_000)
})
