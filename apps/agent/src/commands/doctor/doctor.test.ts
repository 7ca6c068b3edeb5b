import { createSocket } from 'node:dgram'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Check } from '../../foundation/Check.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { execIn } from '../../runtime/engine/execIn.ts'
import { startFakeOutside } from '../../runtime/engine/fakeOutside.ts'
import { KERNEL_LIMITS } from '../../runtime/engine/kernelLimits.ts'
import { dropContainer } from '../../testing/dropContainer.ts'
import { gpuStandIn } from '../../testing/gpuStandIn.ts'
import { runCli } from '../../testing/runCli.ts'
import { setupMarket, type TestMarket } from '../../testing/setupAgent.ts'
import { setupRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { checkMachine, requireMachine } from './checkMachine.ts'
import { checkResolvers } from './checkResolvers.ts'
import { INSIDE } from './tryIsolation.ts'

const reason = whyNoContainers()
/** An address of this machine where nobody else resolves names. */
const LOSSY = '127.1.2.3'
const WALLS = [
  ...[
    'memory limit',
    'processor limit',
    'process limit',
    'disk limit',
    'memory filesystems',
    'read-only root',
    'no capabilities',
    'no new privileges',
    'open files',
    'pending signals and timers',
    'terminals',
    'inotify',
    'second wall',
  ],
  ...['seccomp profile', 'user namespace', 'other tenants', 'the host', 'private addresses', 'metadata addresses', 'mail ports'],
]

describe.skipIf(reason)(`the doctor on this machine (${reason ?? 'here'})`, () => {
  let market: TestMarket
  let outside: Awaited<ReturnType<typeof startFakeOutside>>
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-doctor-test-'))

  beforeAll(async () => {
    outside = await startFakeOutside([80])
    market = await setupMarket((config) => ({ ...config, resolvers: [outside.public] }))
  })
  afterAll(async () => {
    await market?.close()
    await outside?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const diagnose = async (env: NodeJS.ProcessEnv = {}) => {
    const { code, json: checks } = await runCli<Check[]>(['doctor', '--config', market.file, '--json'], { env })
    return { code, checks, failed: checks.filter((one) => !one.ok).map((one) => one.name) }
  }

  it('verifies every isolation check from inside a container', async () => {
    const own = mkdtempSync(join(folder, 'own-'))
    const before = await namespaces()
    const { code, checks, failed } = await diagnose({ TMPDIR: own })
    for (const wall of WALLS) expect(checks).toContainEqual({ name: `isolation: ${wall}`, ok: true, found: expect.any(String) })
    expect(checks).toContainEqual(expect.objectContaining({ name: 'network of tenants', ok: true }))
    for (const { name } of KERNEL_LIMITS)
      expect(checks).toContainEqual(expect.objectContaining({ name: `kernel limit ${name}`, ok: true }))
    for (const name of [
      'provider registered',
      'operator appointed',
      'pledge',
      'nodes listed',
      'what the nodes offer',
      'gas of the operator',
    ])
      expect(checks).toContainEqual(expect.objectContaining({ name, ok: true }))
    // The other end of the relay in this test is not a platform.
    expect(failed).toEqual(['platform'])
    expect(code).toBe(1)
    expect(readdirSync(own)).toEqual([])
    expect((await runCommand('losetup', ['-a'])).stdout).not.toContain(own)
    // Another doctor on this machine may have some for a while.
    await expect.poll(async () => (await namespaces()).filter((line) => !before.includes(line))).toEqual([])
  })

  it('finds every limit missing in a container with the engine’s defaults', async () => {
    const { runtime, docker, app, close } = await setupRuntime()
    try {
      const nginx = app(2)
      const container = await docker.createContainer({
        Image: await runtime.ensureImage(nginx),
        User: `${nginx.uid}:${nginx.gid}`,
        Entrypoint: ['sleep', '600'],
        HostConfig: {
          NetworkMode: 'none',
          Tmpfs: { '/srv/www': 'mode=1777', '/var/tmp': 'mode=1777' },
          // podman's own limit of processes is the least of ours.
          PidsLimit: 4096,
          // The engine's defaults exceed what some machines allow.
          Ulimits: ['nofile', 'nproc'].map((Name) => ({ Name, Soft: 1024, Hard: 1024 })),
        },
      })
      try {
        await container.start()
        const holds = async (line: string) => (await execIn(container, ['/bin/bash', '-c', line], 60_000)).code === 0
        const held: string[] = []
        for (const [name, , line] of INSIDE) if (await holds(line)) held.push(name)
        expect(held).toEqual([])
        // The last attempt of the seccomp profile's check.
        expect(await holds('setarch "$(uname -m)" --uname-2.6 true')).toBe(true)
      } finally {
        await dropContainer(container)
      }
    } finally {
      await close()
    }
  })

  it('reports missing nftables with a fix, and skips the firewall checks', async () => {
    const { code, checks } = await diagnose({ PATH: pathWithout('nft') })
    expect(code).toBe(1)
    expect(checks).toContainEqual({
      name: 'program nftables',
      ok: false,
      found: 'missing',
      fix: 'apt-get install --no-install-recommends nftables',
    })
    expect(checks).toContainEqual(expect.objectContaining({ name: 'kernel firewall (nftables)', ok: false }))
    expect(checks).toContainEqual(expect.objectContaining({ name: 'isolation', ok: false, found: 'not tried' }))
  })

  it('reports that no resolver for applications responds', async () => {
    const [name, fix] = ['names for applications', expect.stringContaining('"resolvers"')]
    expect(await checkResolvers([outside.public])).toEqual({ name, ok: true, found: `asked of ${outside.public}` })
    // A public address that answers only on port 80 of the outside world: connection refused, not a timeout.
    expect(await checkResolvers([outside.hostAddress])).toEqual({
      name,
      ok: false,
      found: `${outside.hostAddress} do not answer`,
      fix,
    })
  })

  it('finds a resolver in spite of a lost first response', async () => {
    let questions = 0
    const resolver = createSocket('udp4').on('message', (question, { port, address }) => {
      questions += 1
      const noSuchName = Buffer.concat([question.subarray(0, 2), Buffer.from('8183', 'hex'), question.subarray(4)])
      if (questions > 1) resolver.send(noSuchName, port, address)
    })
    await new Promise<void>((resolve) => resolver.bind(53, LOSSY, resolve))
    expect(await checkResolvers([LOSSY])).toMatchObject({ ok: true, found: `asked of ${LOSSY}` })
    resolver.close()
  })

  it('reports what applications see without lxcfs, which does not prevent orders', async () => {
    const path = process.env.PATH
    try {
      process.env.PATH = pathWithout('lxcfs')
      expect(await checkMachine(undefined, join(folder, 'data'))).toContainEqual({
        ...{ name: 'program lxcfs', ok: true, warning: true, fix: 'apt-get install --no-install-recommends lxcfs' },
        found: 'missing: applications see the memory and the load of the whole machine',
      })
      await requireMachine(undefined, join(folder, 'data'))
    } finally {
      process.env.PATH = path
    }
  })

  it('starts nothing on a machine that is not ready', async () => {
    const count = await market.buyer.client.getTransactionCount({ address: market.provider })
    const args = ['init', '--config', join(folder, 'new.json'), '--rpc', market.chain.rpcUrl, '--platform', market.peer.url]
    args.push('--access', market.chain.deployment.access)
    const { code, json } = await runCli([...args, '--start', '--json'], {
      env: { PATH: pathWithout('nft') },
      providerKey: process.env.RACKFAIR_PROVIDER_KEY ?? '',
    })
    expect(code).toBe(1)
    expect(json.error.message).toContain('nothing was sent')
    expect(json.error.message).toContain('program nftables: missing; apt-get install')
    expect(await market.buyer.client.getTransactionCount({ address: market.provider })).toBe(count)
  })

  it('asks nothing of podman under Docker', async () => {
    await market.runInit({ start: true })
    const config = join(folder, 'docker.json')
    cpSync(market.file, config)
    const path = process.env.PATH
    try {
      process.env.PATH = pathWithout('podman')
      await expect(market.runInit({ start: true, config })).rejects.toThrow('program podman: missing')
      await market.runInit({ start: true, config, dockerSocket: market.file })
      await market.runInit({ start: true, config })
    } finally {
      process.env.PATH = path
    }
    const missing = market.runInit({ start: true, config, dockerSocket: join(folder, 'no.sock') })
    await expect(missing).rejects.toThrow('Docker socket')
  })

  it('runs nginx once, and a container with each GPU', async () => {
    const card = await gpuStandIn([{ name: 'GeForce RTX 4090' }])
    try {
      const { code, json } = await runCli(['self-test', '--config', market.file, '--json'])
      expect(code).toBe(0)
      const gpu = `GPU ${card.gpus[0]?.index} (RTX 4090)`
      expect(json.steps.map((one) => one.step)).toEqual(['image', 'created', 'started', 'answers', 'cleaned', gpu])
    } finally {
      card.close()
    }
  })

  const namespaces = async () =>
    (await runCommand('ip', ['netns', 'list'])).stdout.split('\n').filter((line) => line.startsWith('rfout'))

  /** All programs of this machine except one. */
  const pathWithout = (program: string) => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    for (const source of (process.env.PATH ?? '').split(':')) {
      for (const name of names(source)) {
        if (name === program) continue
        try {
          symlinkSync(join(source, name), join(bin, name))
        } catch {
          // The first of two programs with the same name wins.
        }
      }
    }
    return bin
  }
})

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
