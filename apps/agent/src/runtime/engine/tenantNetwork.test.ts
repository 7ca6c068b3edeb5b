import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { startFakeOutside } from './fakeOutside.ts'
import { bridgeName, tableName, workloadName } from './names.ts'
import { podmanArguments, podmanEnvironment, podmanPaths } from './podmanService.ts'

const NGINX = 2
const SHELL = 3
const TENANT = 1n
const NEIGHBOUR = 2n
const AZURE_METADATA = '168.63.129.16'
const AS112 = '192.31.196.1'
const reason = whyNoContainers()

describe.skipIf(reason)(`the network of a container (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let outside: Awaited<ReturnType<typeof startFakeOutside>>
  let neighbour: string

  beforeAll(async () => {
    outside = await startFakeOutside([80, 25, 587])
    market = await setupRuntime({ resolvers: [outside.public] })
    await market.run(TENANT, SHELL, { cores: 0.5, memoryBytes: 256 * 2 ** 20, diskBytes: 128 * 2 ** 20 })
    neighbour = await market.run(NEIGHBOUR, NGINX)
  })
  afterAll(async () => {
    await market?.close()
    await outside?.close()
  })

  const inside = (line: string) => market.inside(TENANT, line)
  const python = (code: string) => inside(`python3 -c '${code}'`)
  const reaches = async (host: string, port: number, seconds = 3) =>
    (await inside(`timeout ${seconds} bash -c 'exec 3<>/dev/tcp/${host}/${port}'`)).code === 0
  /** The reachable ones of a list. */
  const reached = async (targets: readonly (readonly [string, number])[]) => {
    const all = await Promise.all(
      targets.map(async ([host, port]) => ({ target: `${host}:${port}`, open: await reaches(host, port) })),
    )
    return all.filter(({ open }) => open).map(({ target }) => target)
  }
  const addressOf = async (name: string) => (await python(`import socket; print(socket.gethostbyname("${name}"))`)).output.trim()

  it('reaches the public internet, except for mail ports', async () => {
    expect(await reaches(outside.public, 80, 60)).toBe(true)
    expect(await reached([25, 587].map((port) => [outside.public, port]))).toEqual([])
  })

  it('reaches neither private nor metadata addresses', async () => {
    for (const address of [AZURE_METADATA, AS112]) {
      await outside.answerAt(address)
      expect((await fetch(`http://${address}/`)).status).toBe(200)
    }
    const addresses = [outside.private, outside.linkLocal, AZURE_METADATA, AS112]
    expect(await reached(addresses.map((address) => [address, 80]))).toEqual([])
  })

  it('reaches neither its neighbour nor the host', async () => {
    expect((await fetch(`http://${neighbour}:8080/`)).status).toBe(200)
    const server = createServer((_, response) => response.end('host')).listen(0, '0.0.0.0')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const own = (await market.runtime.find(TENANT))?.upstream?.address ?? ''
    const gateway = own.replace(/\d+$/, (last) => String(Number(last) - 1))
    expect(gateway).toMatch(/^10\./)
    expect(
      await reached([
        [neighbour, 8080],
        [gateway, port],
        [gateway, 53],
        [outside.hostAddress, port],
      ]),
    ).toEqual([])
    server.close()
  })

  it('resolves names without a resolver on this machine, and signals no process named in a stale pid file', async () => {
    const folder = '/run/containers/networks/aardvark-dns'
    const innocent = spawn('sleep', ['600'])
    const before = existsSync(join(folder, 'aardvark.pid')) ? readFileSync(join(folder, 'aardvark.pid')) : undefined
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'aardvark.pid'), String(innocent.pid))
    try {
      expect(await addressOf('shop.example')).toBe(outside.public)
      await market.runtime.stop(TENANT)
      await market.runtime.start(TENANT)
      expect(await addressOf('shop.example')).toBe(outside.public)
      expect(readdirSync(folder)).toEqual(['aardvark.pid'])
      expect([innocent.exitCode, innocent.signalCode]).toEqual([null, null])
    } finally {
      innocent.kill()
      if (before) writeFileSync(join(folder, 'aardvark.pid'), before)
      else rmSync(folder, { recursive: true })
    }
  })

  it('does not start without the firewall, which is restored completely', async () => {
    await runCommand('nft', ['delete', 'table', 'inet', tableName(market.instance)])
    expect(await market.runtime.firewall.intact()).toBe(false)
    await expect(market.runtime.start(TENANT)).rejects.toMatchObject({ code: 'isolation_unavailable' })
    await market.runtime.check()
    expect(await market.runtime.firewall.intact()).toBe(true)
    expect(await reaches(outside.private, 80)).toBe(false)
    expect(await reaches(outside.public, 80, 60)).toBe(true)
    expect(market.lines.join('\n')).toContain('restoring it')
  })

  it('has the address of this machine outside, and reaches it where another firewall drops what is forwarded', async () => {
    const seenAs = async () => {
      const { output } = await python(
        `import urllib.request as u; print(u.urlopen("http://${outside.public}/",timeout=60).read().decode())`,
      )
      return /asked by \S*?([\d.]+)\s*$/.exec(output)?.[1]
    }
    expect(await seenAs()).toBe(outside.hostAddress)
    const own = (await market.runtime.find(TENANT))?.upstream?.address
    const policy = (await runCommand('iptables', ['-S', 'FORWARD'])).stdout.includes('-P FORWARD DROP') ? 'DROP' : 'ACCEPT'
    await runCommand('iptables', ['-P', 'FORWARD', 'DROP'])
    try {
      expect(await seenAs()).toBe(outside.hostAddress)
      // As whatever flushes all rules of this machine.
      const { stdout } = await runCommand('iptables', ['-S', 'FORWARD'])
      for (const rule of stdout.split('\n').filter((line) => line.startsWith('-A') && line.includes(`rf${market.instance}-+`)))
        expect((await runCommand('iptables', ['-D', ...rule.split(' ').slice(1)])).code, rule).toBe(0)
      await runCommand('nft', ['delete', 'table', 'inet', tableName(market.instance)])
      expect(await reaches(outside.public, 80)).toBe(false)
      await market.runtime.check()
      expect(await seenAs()).toBe(outside.hostAddress)
      expect(await reaches(outside.private, 80)).toBe(false)
    } finally {
      await runCommand('iptables', ['-P', 'FORWARD', policy])
    }
    expect((await market.runtime.find(TENANT))?.upstream?.address).toBe(own)
  })

  it('stays isolated when the machine’s firewall is flushed, without a gap', async () => {
    const server = createServer((_, response) => response.end('host')).listen(0, '0.0.0.0')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await runCommand('nft', ['delete', 'table', 'inet', tableName(market.instance)])
    expect(
      await reached([
        [outside.private, 80],
        [outside.linkLocal, 80],
        [outside.public, 25],
        [neighbour, 8080],
        [neighbour.replace(/\d+$/, (last) => String(Number(last) - 1)), port],
      ]),
    ).toEqual([])
    expect(await reaches(outside.public, 80, 60)).toBe(true)
    expect(await visitNeighbour()).toBe(200)
    server.close()
    await market.runtime.check()
  })

  it('is cut off but keeps running while the firewall cannot be restored, and is reconnected afterwards', async () => {
    await withPrograms({ nft: 'exit 1' }, async () => {
      await runCommand('/usr/sbin/nft', ['delete', 'table', 'inet', tableName(market.instance)])
      expect(await reaches(outside.public, 80, 60)).toBe(true)
      await expect(market.runtime.check()).rejects.toMatchObject({ code: 'isolation_unavailable', retryable: true })
      const addresses = [outside.private, outside.public, outside.hostAddress]
      expect(await reached(addresses.map((address) => [address, 80]))).toEqual([])
      await expect(visitNeighbour(3000)).rejects.toThrow()
      await expect(market.runtime.start(TENANT)).rejects.toMatchObject({ code: 'isolation_unavailable' })
      expect(await runningOrders()).toHaveLength(2)
      expect(market.lines.at(-1)).toContain('their networks are shut until it can')
    })
    await market.runtime.check()
    expect(await reaches(outside.private, 80)).toBe(false)
    expect(await reaches(outside.public, 80, 60)).toBe(true)
    expect(await visitNeighbour()).toBe(200)
  })

  it('stops containers whose firewall and networks are invisible, as from another network namespace', async () => {
    const said = market.lines.length
    await withPrograms({ nft: 'exit 1', ip: 'case "$*" in "-j link show") echo "[]" ;; esac' }, async () => {
      await runCommand('/usr/sbin/nft', ['delete', 'table', 'inet', tableName(market.instance)])
      await expect(market.runtime.check()).rejects.toMatchObject({ code: 'isolation_unavailable' })
      expect(await runningOrders()).toEqual([])
      expect(market.lines.slice(said).join('\n')).toContain('whose network this agent cannot see')
    })
    await market.runtime.check()
    for (const orderId of [TENANT, NEIGHBOUR]) await market.runtime.start(orderId)
    await expect.poll(() => visitNeighbour()).toBe(200)
  })

  it('stops containers whose network cannot be shut', async () => {
    await withPrograms({ nft: 'exit 1', ip: 'exit 1' }, async () => {
      await runCommand('/usr/sbin/nft', ['delete', 'table', 'inet', tableName(market.instance)])
      await expect(market.runtime.check()).rejects.toMatchObject({ code: 'isolation_unavailable' })
      expect(await runningOrders()).toEqual([])
      expect(market.lines.at(-1)).toContain('the applications are stopped')
    })
    await market.runtime.check()
    for (const orderId of [TENANT, NEIGHBOUR]) await market.runtime.start(orderId)
    await expect.poll(() => visitNeighbour()).toBe(200)
  })

  it('is isolated at a start even if the engine cleans up the previous run only then', async () => {
    await market.runtime.stop(TENANT)
    const paths = podmanPaths(join(market.data, 'engine'), market.instance)
    const tidy = ['podman', ...podmanArguments(paths), 'container', 'cleanup', workloadName(market.instance, TENANT)].join(' ')
    const once = join(market.data, 'tidied')
    const config = podmanEnvironment(paths).CONTAINERS_CONF
    const nsenter = `[ -e ${once} ] || { touch ${once}; CONTAINERS_CONF=${config} ${tidy}; }; exec /usr/bin/nsenter "$@"`
    await withPrograms({ nsenter }, () => market.runtime.start(TENANT))
    expect(existsSync(once)).toBe(true)
    const { State } = await market.docker.getContainer(workloadName(market.instance, TENANT)).inspect()
    const { stdout } = await runCommand('nsenter', ['-t', String(State.Pid), '-n', 'nft', 'list', 'ruleset'])
    expect(stdout).toContain('policy drop')
    expect(await reaches(outside.public, 80, 60)).toBe(true)
  })

  it('leaves nothing behind in twenty restarts, whose tidying up the engine does in the middle of the next', async () => {
    const bridge = bridgeName(market.instance, Number(TENANT))
    const linksOf = async () => {
      const { stdout } = await runCommand('ip', ['-j', 'link', 'show', 'type', 'veth'])
      return (JSON.parse(stdout) as { ifname: string; master?: string }[])
        .map(({ ifname, master }) => `${ifname} ${master}`)
        .sort()
    }
    const namespaces = () => (existsSync('/run/netns') ? readdirSync('/run/netns').sort() : [])
    const before = [await linksOf(), namespaces(), (await market.runtime.find(TENANT))?.upstream?.address]
    const paths = podmanPaths(join(market.data, 'engine'), market.instance)
    const tidy = ['podman', ...podmanArguments(paths), 'container', 'cleanup', workloadName(market.instance, TENANT)].join(' ')
    const config = podmanEnvironment(paths).CONTAINERS_CONF
    const once = join(market.data, 'tidied')
    const nsenter = `[ -e ${once} ] || { touch ${once}; CONTAINERS_CONF=${config} ${tidy}; }; exec /usr/bin/nsenter "$@"`
    await withPrograms({ nsenter }, async () => {
      for (let restart = 0; restart < 20; restart += 1) {
        await market.runtime.stop(TENANT)
        // Every fourth as on a busy machine.
        if (restart % 4 === 0) rmSync(once, { force: true })
        await market.runtime.start(TENANT)
      }
    })
    expect([await linksOf(), namespaces(), (await market.runtime.find(TENANT))?.upstream?.address]).toEqual(before)
    expect((await linksOf()).filter((line) => line.endsWith(` ${bridge}`))).toHaveLength(1)
    expect(await reaches(outside.public, 80, 60)).toBe(true)
  })

  it('gets a slot in which an earlier order left a bridge, with the address of another network', async () => {
    const bridge = bridgeName(market.instance, 3)
    await runCommand('ip', ['link', 'add', bridge, 'type', 'bridge'])
    await runCommand('ip', ['addr', 'add', '10.127.0.1/28', 'dev', bridge])
    expect((await fetch(`http://${await market.run(3n, NGINX)}:8080/`)).status).toBe(200)
    await market.runtime.remove(3n, { wipe: true })
  })

  it('is reached on its own bridge only: nothing else is contacted at the address of a removed container', async () => {
    const gone = 3n
    const address = await market.run(gone, NGINX)
    expect((await fetch(`http://${address}:8080/`)).status).toBe(200)
    await market.docker.getContainer(workloadName(market.instance, gone)).stop({ t: 1 })
    const answer = () =>
      fetch(`http://${address}:8080/`, { signal: AbortSignal.timeout(5000) }).then(
        ({ status }) => `${status}`,
        (error) => `${error.cause?.code ?? error.name}`,
      )
    // The kernel takes the link away a moment after the program.
    await expect.poll(answer).toMatch(/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/)
    expect(await answer()).toMatch(/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/)
    await market.runtime.remove(gone, { wipe: true })
  })

  it('detects a modified firewall, not only a removed one', async () => {
    await runCommand('nft', ['flush', 'chain', 'inet', tableName(market.instance), 'from_tenant'])
    expect(await market.runtime.firewall.intact()).toBe(false)
    await market.runtime.check()
    expect(await reaches(outside.private, 80)).toBe(false)
  })

  const visitNeighbour = async (ms = 60_000) => {
    const address = (await market.runtime.find(NEIGHBOUR))?.upstream?.address
    return (await fetch(`http://${address}:8080/`, { signal: AbortSignal.timeout(ms) })).status
  }
  const runningOrders = async () => (await market.runtime.list()).filter((one) => one.running).map(({ orderId }) => orderId)
  /** Runs `work` with some programs of this machine replaced. */
  const withPrograms = async (programs: Record<string, string>, work: () => Promise<void>) => {
    const path = process.env.PATH
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-programs-'))
    for (const [name, does] of Object.entries(programs))
      writeFileSync(join(folder, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
    try {
      process.env.PATH = `${folder}:${path}`
      await work()
    } finally {
      process.env.PATH = path
      rmSync(folder, { recursive: true })
    }
  }
})
