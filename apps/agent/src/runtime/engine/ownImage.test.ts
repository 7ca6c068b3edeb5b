import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { busybox } from '../../testing/ownImageBase.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { digestOf, packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { podmanPaths } from './podmanService.ts'

const DOCKER_MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'
const reason = whyNoContainers() ?? whyNoRegistry()
const ACCOUNT = { username: 'bob', password: 'correct horse' }

describe.skipIf(reason)(`a renter’s own image (${reason ?? 'here'})`, () => {
  let open: TestRegistry
  let closed: TestRegistry
  let cut: Awaited<ReturnType<typeof startCut>>
  /** The same registry under another name. */
  let other: Awaited<ReturnType<typeof startCut>>
  let market: TestRuntime
  const stop: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    open = await startRegistry()
    stop.unshift(() => open.close())
    closed = await startRegistry(ACCOUNT)
    stop.unshift(() => closed.close())
    cut = await startCut(open.host)
    stop.unshift(() => cut.close())
    other = await startCut(open.host)
    stop.unshift(() => other.close())
    const localRegistries = [open.host, closed.host, cut.host, other.host]
    market = await setupRuntime({ ownImages: { localRegistries, maxImageGb: 1, cacheGb: 0 } })
    stop.unshift(() => market.close())
    const program = await busybox()
    const base = packLayer(tarOf({ 'bin/busybox': program, 'bin/sh': program }, { 'bin/busybox': '755', 'bin/sh': '755' }))
    const page = packLayer(tarOf({ 'srv/www/index.html': 'from the image\n', 'data/seed': 'of the image\n' }))
    const config = {
      Entrypoint: ['/bin/busybox'],
      Cmd: ['httpd', '-f', '-p', '80', '-h', '/srv/www'],
      Env: ['FROM_IMAGE=yes'],
      WorkingDir: '/srv/www',
      Volumes: { '/cache': {} },
      ExposedPorts: { '80/tcp': {}, '9000/tcp': {} },
    }
    for (const registry of [open, closed]) await registry.push('acme/web', '1', { layers: [base, page], config })
    await open.push('acme/arm', '1', { layers: [base], config, architecture: 'arm64' })
    await open.push('acme/spoiled', '1', { layers: [base, packLayer(tarOf({ x: 'y' }))], config })
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  const web = () => `${open.host}/acme/web:1`
  const httpPort = [{ protocol: 'http', port: 80 }]
  const codeOf = async (given: Record<string, unknown>, values = {}) =>
    market.runOwn(99n, given, { values }).then(
      () => 'runs',
      (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
    )

  it('runs with nothing but its program, on a writable root', async () => {
    const run = await market.runOwn(
      1n,
      { image: web(), ports: httpPort, env: { A: 'plain' }, secrets: ['S'], volumes: ['/data'] },
      { values: { S: 'hidden' } },
    )
    expect(await (await fetch(`http://${run.address}/`)).text()).toBe('from the image\n')
    expect(run.image).toMatch(new RegExp(`^${open.host}/acme/web:1@sha256:[0-9a-f]{64}$`))
    expect(run.pulls.at(-1)).toMatchObject({ layers: 2, totalLayers: 2 })
    expect(run.pulls.at(-1)?.bytes).toBe(run.pulls.at(-1)?.totalBytes)
    expect(run.notes).toEqual([
      { code: 'root', value: '' },
      { code: 'volume', value: '/cache' },
      { code: 'port', value: '9000/tcp' },
    ])
    const inside = (line: string) => market.inside(1n, line, '/bin/sh')
    expect((await inside('echo written > /srv/www/new && busybox cat /srv/www/new')).output).toBe('written\n')
    expect((await inside('busybox cat /data/seed; echo $A $S $FROM_IMAGE; busybox pwd; busybox id -u')).output).toBe(
      'of the image\nplain hidden yes\n/srv/www\n0\n',
    )
    expect((await inside('busybox cat /proc/self/uid_map')).output.trim().split(/\s+/)[1]).not.toBe('0')
  })

  it('has the files that it was given, in the image, in a volume and where nothing was, and changes none', async () => {
    const files = {
      '/srv/www/index.html': 'from the file\n',
      '/data/inside/given': 'in a volume\n',
      '/opt/new/hook.sh': '#!/bin/sh\nbusybox echo ran',
      '/run/secrets/key': { secret: 'KEY' },
    }
    const spec = { image: web(), ports: httpPort, volumes: ['/data'], files, user: '7:7' }
    const run = await market.runOwn(96n, spec, { values: { KEY: 'sealed' } })
    const page = async () => (await fetch(`http://${run.address}/`)).text()
    expect(await page()).toBe('from the file\n')
    const inside = async (line: string) => (await market.inside(96n, line, '/bin/sh')).output
    expect(await inside('busybox cat /data/inside/given /run/secrets/key; /opt/new/hook.sh; echo "[$KEY]"')).toBe(
      'in a volume\nsealedran\n[]\n',
    )
    for (const path of Object.keys(files))
      expect(await inside(`echo changed > ${path} || busybox rm -f ${path}; busybox cat ${path}`)).not.toMatch(/^changed/m)
    await market.runtime.remove(96n, { wipe: false })
    // What stays on the disk is in nobody's way.
    await market.runOwn(96n, { ...spec, files: { '/srv/www/index.html': 'another\n' } })
    expect(await page()).toBe('another\n')
    expect(await inside('busybox ls /run/secrets /opt/new 2>&1; busybox cat /data/inside/given')).not.toMatch(
      /sealed|in a volume/,
    )
    await market.runtime.remove(96n, { wipe: true })
  })

  it.each([['/srv/www'], ['/srv/www/index.html/x']])('is told that a file cannot be at %s', async (path) =>
    expect(await codeOf({ image: web(), ports: httpPort, files: { [path]: 'x' } })).toMatch(
      /^start_failed the file .* (?:another path|has something else)/,
    ),
  )

  it('shows where it listens, if for itself only', async () => {
    const ports = [{ protocol: 'tcp', port: 9000 }]
    await market.runOwn(97n, {
      image: web(),
      ports,
      args: ['sh', '-c', 'busybox httpd -p 127.0.0.1:8188 && busybox httpd -f -p 9000'],
    })
    await expect.poll(() => market.runtime.listening(97n)).toContainEqual({ address: '127.0.0.1', port: 8188 })
    expect((await market.runtime.listening(97n))?.find(({ port }) => port === 9000)?.address).toMatch(/^(?:0\.0\.0\.0|::)$/)
    await market.runtime.remove(97n, { wipe: true })
    expect(await market.runtime.listening(97n)).toBeUndefined()
  })

  it('explains why an image is unavailable', async () => {
    expect(await codeOf({ image: `${open.host}/acme/none:1` })).toMatch(/^image_not_found .*has no acme\/none:1/)
    expect(await codeOf({ image: `${open.host}/acme/web:2` })).toMatch(/^image_not_found/)
    expect(await codeOf({ image: `${open.host}/acme/web@sha256:${'00'.repeat(32)}` })).toMatch(/^image_not_found/)
    expect(await codeOf({ image: `${open.host}/acme/arm:1` })).toMatch(
      /^image_architecture .*is for linux\/arm64, this machine is/,
    )
    expect(await codeOf({ image: `127.0.0.1:1/acme/web` })).toMatch(/^registry_unreachable .*not on the internet/)
    expect(await codeOf({ image: `169.254.169.254/latest/meta-data` })).toMatch(/^registry_unreachable .*not on the internet/)
    expect(await codeOf({ image: `localhost/rackfair/nginx` })).toMatch(/^registry_unreachable/)
  })

  it('of a private registry accepts the right password only, and stores it nowhere', async () => {
    const image = `${closed.host}/acme/web:1`
    const registry = { username: ACCOUNT.username, password: 'P' }
    expect(await codeOf({ image })).toMatch(/^registry_denied/)
    expect(await codeOf({ image, registry }, { P: 'wrong' })).toMatch(/^registry_denied .*refuses bob/)
    const run = await market.runOwn(2n, { image, ports: httpPort, registry }, { values: { P: ACCOUNT.password } })
    expect(await (await fetch(`http://${run.address}/`)).text()).toBe('from the image\n')
    expect((await market.inside(2n, 'echo "[$P]"', '/bin/sh')).output).toBe('[]\n')
    const found = await runCommand('grep', ['-rlF', ACCOUNT.password, market.data, podmanPaths(market.data, market.instance).run])
    expect(found.stdout).toBe('')
    // An image already on this machine is available only to those whom the registry authorizes.
    expect(await codeOf({ image })).toMatch(/^registry_denied/)
  })

  it('that does not match its digest is not imported', async () => {
    const { layers } = (await (
      await fetch(`http://${open.host}/v2/acme/spoiled/manifests/1`, { headers: { accept: DOCKER_MANIFEST } })
    ).json()) as {
      layers: { digest: string }[]
    }
    open.spoil(layers[1]?.digest ?? '', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([1])]))
    expect(await codeOf({ image: `${open.host}/acme/spoiled:1` })).toMatch(/^registry_unreachable/)
  })

  it('resumes at the byte where the registry failed, and reports a lasting failure', async () => {
    const large = packLayer(tarOf({ 'srv/www/large': randomBytes(12 * 2 ** 20) }))
    await open.push('acme/large', '1', { layers: [large], config: { Cmd: ['/x'] } })
    const { app } = await market.runOwn(3n, { image: web(), ports: httpPort })
    const pull = () =>
      market.runtime.ensureOwnImage({ ...app, image: `${cut.host}/acme/large:1` }, undefined, {
        orderId: 3n,
        maxBytes: 2 ** 28,
        onPull: () => {},
      })
    cut.after = 1000
    await expect(pull()).rejects.toMatchObject({ code: 'registry_unreachable', retryable: true })
    cut.passed = 0
    cut.after = 4 * 2 ** 20
    expect((await pull()).imageId).toMatch(/^[0-9a-f]{64}$/)
    // Each byte was transferred about once, over several connections.
    expect(cut.passed).toBeGreaterThan(large.packed.length * 0.99)
    expect(cut.passed).toBeLessThan(large.packed.length * 1.2)
    await market.runtime.remove(3n, { wipe: true })
  })

  it('is fetched without the layers shared with another image of its registry, but with those of another registry', async () => {
    const program = await busybox()
    const base = packLayer(tarOf({ 'bin/busybox': program, 'bin/sh': program }, { 'bin/busybox': '755', 'bin/sh': '755' }))
    const config = { Cmd: ['/bin/busybox', 'httpd', '-f', '-p', '80', '-h', '/www'] }
    const page = (text: string) => packLayer(tarOf({ 'www/index.html': text }))
    await open.push('acme/one', '1', { layers: [base, page('one')], config })
    // On top of a layer that the engine has nowhere else; packed once, because a tar file contains its time.
    const pageTwo = page('two')
    await open.push('acme/two', '1', { layers: [pageTwo, base], config })
    const shared = digestOf(base.packed)
    const run = (orderId: bigint, host: string, name: string) =>
      market.runOwn(orderId, { image: `${host}/acme/${name}:1`, ports: httpPort })
    cut.after = Number.POSITIVE_INFINITY
    await run(7n, cut.host, 'one')
    cut.asked.length = 0
    const two = await run(8n, cut.host, 'two')
    expect(cut.asked.filter((one) => one.endsWith(shared))).toEqual([`HEAD ${shared}`])
    expect(two.pulls.at(-1)).toMatchObject({ layers: 2, totalLayers: 2, totalBytes: pageTwo.packed.length })
    expect(await (await fetch(`http://${two.address}/`)).text()).toBe('two')
    expect((await market.inside(8n, 'busybox ls /bin', '/bin/sh')).output).toContain('busybox')
    await market.runtime.remove(8n, { wipe: true })
    // Its size counts as if it were fetched.
    const { app } = await market.runOwn(8n, { image: web(), ports: httpPort })
    await open.push('acme/three', '1', { layers: [base, page('three')], config })
    const three = (host: string, maxBytes: number) =>
      market.runtime.ensureOwnImage({ ...app, image: `${host}/acme/three:1` }, undefined, {
        orderId: 3n,
        maxBytes,
        onPull: () => {},
      })
    await expect(three(cut.host, base.packed.length + 10_000)).rejects.toMatchObject({ code: 'image_too_large' })
    await three(other.host, 2 ** 28)
    expect(other.asked).toContain(`GET ${shared}`)
    for (const orderId of [7n, 8n]) await market.runtime.remove(orderId, { wipe: true })
  })

  it('larger than the disk of the order, packed or unpacked, is refused', async () => {
    const { app } = await market.runOwn(3n, { image: web(), ports: httpPort })
    const pull = (maxBytes: number) =>
      market.runtime.ensureOwnImage({ ...app, image: `${open.host}/acme/bomb:1` }, undefined, {
        orderId: 3n,
        maxBytes,
        onPull: () => {},
      })
    const bomb = await open.push('acme/bomb', '1', {
      layers: [tarOf({ zeros: Buffer.alloc(80 * 2 ** 20) })],
      config: { Cmd: ['/x'] },
    })
    await expect(pull(1000)).rejects.toMatchObject({
      code: 'image_too_large',
      message: expect.stringContaining('the disk of this order'),
    })
    await expect(pull(40 * 2 ** 20)).rejects.toMatchObject({
      code: 'image_too_large',
      message: expect.stringContaining('unpacks'),
    })
    // Nothing of it remains on the provider's disk.
    expect(readdirSync(join(market.data, 'images', 'pulls'))).not.toContain(`image-${bomb.replace('sha256:', '')}`)
    expect((await pull(200 * 2 ** 20)).imageId).toMatch(/^[0-9a-f]{64}$/)
  })

  it('keeps its digest when its tag moves, and then needs no registry', async () => {
    const { app, image, imageId } = await market.runOwn(4n, { image: web(), ports: httpPort })
    await open.stop()
    const again = await market.runtime.ensureOwnImage(app, image, { orderId: 4n, maxBytes: 2 ** 30, onPull: () => {} })
    expect(again).toMatchObject({ image, imageId })
    await expect(
      market.runtime.ensureOwnImage(app, undefined, { orderId: 4n, maxBytes: 2 ** 30, onPull: () => {} }),
    ).rejects.toMatchObject({
      code: 'registry_unreachable',
      retryable: true,
    })
    await open.start()
  })

  it('fills only the disk of its order, and leaves its volumes to the next', async () => {
    const own = { image: web(), ports: httpPort, volumes: ['/data'] }
    await market.runOwn(5n, own, { diskBytes: 64 * 2 ** 20 })
    const inside = (line: string) => market.inside(5n, line, '/bin/sh')
    await inside('echo kept > /data/file; echo gone > /etc/gone')
    expect((await inside('busybox dd if=/dev/zero of=/big bs=1M count=200 2>&1; busybox rm -f /big')).output).toContain(
      'No space left',
    )
    await market.runtime.remove(5n, { wipe: true, keepVolumes: true })
    await market.runOwn(5n, own, { diskBytes: 64 * 2 ** 20, deploymentId: 'next' })
    expect((await inside('busybox cat /data/file; busybox ls /etc/gone 2>&1')).output).toMatch(/^kept\n.*No such file/)
    // Both survive a stop and a start.
    await inside('echo stays > /root-file')
    await market.runtime.stop(5n)
    await market.runtime.start(5n)
    expect((await inside('busybox cat /data/file /root-file')).output).toBe('kept\nstays\n')
    await market.runtime.remove(5n, { wipe: true })
    expect(await market.runtime.ordersWithData()).not.toContain(5n)
  })

  it('runs as the user that it or its renter names', async () => {
    const users = packLayer(
      tarOf({ 'etc/passwd': 'root:x:0:0::/:/bin/sh\nweb:x:1234:2345::/:/bin/sh\n', 'etc/group': 'root:x:0:\nweb:x:2345:\n' }),
    )
    const program = await busybox()
    const base = packLayer(tarOf({ 'bin/busybox': program, 'bin/sh': program }, { 'bin/busybox': '755', 'bin/sh': '755' }))
    const config = { Cmd: ['/bin/busybox', 'httpd', '-f', '-p', '80'], User: 'web' }
    await open.push('acme/user', '1', { layers: [base, users], config })
    const image = `${open.host}/acme/user:1`
    const who = async () => (await market.inside(6n, 'busybox id -u; busybox id -g; busybox stat -c %u /vol', '/bin/sh')).output
    await market.runOwn(6n, { image, ports: httpPort, volumes: ['/vol'] })
    expect(await who()).toBe('1234\n2345\n1234\n')
    await market.runtime.remove(6n, { wipe: true })
    await market.runOwn(6n, { image, ports: httpPort, volumes: ['/vol'], user: '77:88' })
    expect(await who()).toBe('77\n88\n77\n')
    expect(await codeOf({ image, user: 'nobody-here' })).toContain('the image has no user nobody-here')
  })

  it('cannot escape its root by links', async () => {
    const folder = tarOf({ 'bin/x': 'x' })
    const evil = await linkLayer({ data: '/etc', etc: '/', tmp: '/root' })
    const program = await busybox()
    const base = packLayer(tarOf({ 'bin/busybox': program, 'bin/sh': program }, { 'bin/busybox': '755', 'bin/sh': '755' }))
    await open.push('acme/links', '1', {
      layers: [packLayer(folder), base, packLayer(evil)],
      config: { Cmd: ['/bin/busybox', 'sleep', '1000'] },
    })
    const before = await runCommand('ls', ['-ldn', '/etc', '/root', '/tmp', '/'])
    await codeOf({ image: `${open.host}/acme/links:1`, volumes: ['/data'], user: '1000' })
    expect((await runCommand('ls', ['-ldn', '/etc', '/root', '/tmp', '/'])).stdout.replace(/ \w+ +\d+ [\d:]+ /g, ' ')).toBe(
      before.stdout.replace(/ \w+ +\d+ [\d:]+ /g, ' '),
    )
    const volume = await runCommand('sh', ['-c', `ls -A ${market.data}/volumes/99/mnt/.own/volumes/*/ 2>/dev/null`])
    expect(volume.stdout).not.toContain('passwd')
  })
})

/** A layer of symlinks: link name to target. */
async function linkLayer(links: Readonly<Record<string, string>>): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-links-'))
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name))
  const { stdout } = spawnSync('tar', ['-C', folder, '--numeric-owner', '--owner=0', '--group=0', '-cf', '-', '.'])
  rmSync(folder, { recursive: true, force: true })
  return stdout
}

/** A proxy to a registry that records the requested blobs, and cuts each connection after a number of response bytes. */
async function startCut(host: string) {
  const [address = '', port = ''] = host.split(':')
  const asked: string[] = []
  const way = { host: '', asked, after: Number.POSITIVE_INFINITY, passed: 0, close: async () => void server.close() }
  const server = createServer((client) => {
    const registry = connect({ host: address, port: Number(port) })
    let left = way.after
    client.on('data', (chunk: Buffer) => {
      for (const [, method, digest] of chunk.toString('latin1').matchAll(/^([A-Z]+) \S+\/blobs\/(\S+) /gm))
        asked.push(`${method} ${digest}`)
    })
    client.on('error', () => registry.destroy()).pipe(registry)
    registry.on('error', () => client.destroy()).on('end', () => client.end())
    registry.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, left)
      left -= part.length
      way.passed += part.length
      client.write(part)
      if (left > 0) return
      registry.destroy()
      client.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  way.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return way
}
