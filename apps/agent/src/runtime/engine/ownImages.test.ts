import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { type Asked, type StandInRegistry, standInRegistry } from '../../testing/standInRegistry.ts'
import { digestOf, packLayer, tarOf } from '../../testing/startRegistry.ts'
import { openShare } from '../layers/orderShare.ts'
import { OWN_IMAGES } from '../ownImageRules.ts'
import type { RunSpec } from '../RunSpec.ts'
import { newInstance } from './names.ts'
import { createOwnImages } from './ownImages.ts'

let registry: StandInRegistry
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rackfair-own-'))
})
afterEach(async () => {
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (instance = newInstance(), removeFormer: (id: string) => void = () => {}) =>
  createOwnImages({
    folder,
    settings: { ...OWN_IMAGES, localRegistries: [registry.host] },
    instance,
    removeFormer: async (id) => removeFormer(id),
    used: async () => new Set(),
    log: sayingLog(() => {}),
  })
const app = () => ({ image: `${registry.host}/a/b:1`, volumes: [], ports: [], own: {} }) as unknown as RunSpec
const partial = () => readdirSync(join(folder, 'pulls'))
const ensure = (images: ReturnType<typeof open>, orderId: bigint, maxBytes = 2 ** 30) =>
  images.ensure(app(), undefined, { orderId, maxBytes, onPull: () => {} })
const isLayer = ({ name }: Asked, at: number) => name === registry.layers[at]
const start = async (answer: (asked: Asked) => boolean | Promise<boolean>) => {
  registry = await standInRegistry(answer, {
    layers: [packLayer(tarOf({ a: randomBytes(1000) })), packLayer(tarOf({ b: Buffer.alloc(100_000) }))],
  })
}
const deny = ({ answer }: Asked) => {
  answer.writeHead(403).end()
  return true
}

describe('what came of a pull that did not end', () => {
  it('is removed with its order, also by an agent that was killed meanwhile', async () => {
    let isClosed = true
    await start((asked) => isClosed && isLayer(asked, 1) && deny(asked))
    await expect(ensure(open(), 5n)).rejects.toMatchObject({ code: 'registry_denied' })
    const next = open()
    expect(next.ordersWithPulls()).toEqual([5n])
    await next.forget(4n)
    expect(partial()).toHaveLength(1)
    await next.forget(5n)
    expect(partial()).toEqual([])
    expect(next.ordersWithPulls()).toEqual([])
    isClosed = false
    await ensure(next, 5n)
    expect(partial()).toEqual([])
  })

  it('is used by the next try of its order', async () => {
    let isClosed = true
    await start((asked) => isClosed && isLayer(asked, 1) && deny(asked))
    await expect(ensure(open(), 5n)).rejects.toMatchObject({ code: 'registry_denied' })
    isClosed = false
    registry.tried.length = 0
    await ensure(open(), 5n)
    expect(registry.tried.filter((asked) => isLayer(asked, 0))).toEqual([])
  })

  it('is removed at the next start if it is no order\u2019s', async () => {
    await start(() => false)
    mkdirSync(join(folder, 'pulls', `image-${'ab'.repeat(32)}`), { recursive: true })
    writeFileSync(join(folder, 'pulls', 'a file'), '')
    open()
    expect(partial()).toEqual(['a file'])
  })

  it('is removed while it is fetched, and nothing more is fetched then', async () => {
    const asked = Promise.withResolvers<Asked>()
    await start((one) => {
      if (!isLayer(one, 1)) return false
      one.answer.writeHead(200, { 'content-length': registry.blobs.get(one.name)?.length ?? 0 }).flushHeaders()
      asked.resolve(one)
      return true
    })
    const images = open()
    const failed = expect(ensure(images, 5n)).rejects.toMatchObject({ code: 'agent_busy' })
    const { request } = await asked.promise
    const closed = new Promise((resolve) => request.socket.once('close', resolve))
    await images.forget(5n)
    await failed
    await closed
    expect(partial()).toEqual([])
  })
})

describe('two orders that want one image', () => {
  it('share a pull, which outlives the first of them', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    await start(async (one) => {
      if (!isLayer(one, 1)) return false
      asked.resolve()
      await go.promise
      return false
    })
    const images = open()
    const [first, told] = [ensure(images, 5n), [] as number[]]
    await asked.promise
    const second = images.ensure(app(), undefined, { orderId: 6n, maxBytes: 2 ** 30, onPull: ({ bytes }) => told.push(bytes) })
    await expect.poll(() => images.ordersWithPulls().length).toBe(2)
    await images.forget(5n)
    go.resolve()
    expect((await second).imageId).toBe((await first).imageId)
    expect(registry.tried.filter((one) => isLayer(one, 1))).toHaveLength(1)
    expect(told.length).toBeGreaterThan(0)
  })

  it('do not fail with one another: a disk that is too small is that of its order alone', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    await start(async (one) => {
      if (!isLayer(one, 0) && !isLayer(one, 1)) return false
      asked.resolve()
      await go.promise
      return false
    })
    const images = open()
    const small = expect(ensure(images, 5n, 50_000)).rejects.toMatchObject({ code: 'image_too_large' })
    await asked.promise
    const large = ensure(images, 6n)
    await expect.poll(() => images.ordersWithPulls().length).toBe(2)
    go.resolve()
    await small
    expect((await large).imageId).toMatch(/^[0-9a-f]{64}$/)
  })
})

/** The control groups of an order's pull, one for each tree that this kernel has. */
const shares = (instance: string) =>
  spawnSync('find', ['/sys/fs/cgroup', '-maxdepth', '2', '-name', `rackfair-${instance}-pull-*`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((path) => path !== '')
const limitsIn = (folders: readonly string[], files: readonly string[]) =>
  folders.flatMap((folder) =>
    files.flatMap((file) => (existsSync(join(folder, file)) ? [readFileSync(join(folder, file), 'utf8').trim()] : [])),
  )

describe.runIf(process.getuid?.() === 0)('the process that unpacks', () => {
  it('has the processors and the memory of its order while a layer comes, and leaves nothing', async () => {
    const go = Promise.withResolvers<void>()
    const large = packLayer(tarOf({ a: randomBytes(4 * 2 ** 20) }))
    registry = await standInRegistry(
      async ({ answer, name }) => {
        if (name !== digestOf(large.packed)) return false
        answer.writeHead(200, { 'content-length': large.packed.length }).write(large.packed.subarray(0, 2 ** 21))
        await go.promise
        answer.end(large.packed.subarray(2 ** 21))
        return true
      },
      { layers: [large] },
    )
    const instance = newInstance()
    const share = { cores: 0.5, memoryBytes: 300 * 2 ** 20 }
    const images = open(instance)
    const pulled = images.ensure(app(), undefined, { orderId: 5n, maxBytes: 2 ** 30, share, onPull: () => {} })
    const programs = () =>
      limitsIn(shares(instance), ['cgroup.procs'])
        .flatMap((pids) => pids.split('\n'))
        .map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
    await expect.poll(() => new Set(programs())).toContain('perl')
    expect(limitsIn(shares(instance), ['cpu.max', 'cpu.cfs_quota_us']).map((text) => text.split(' ')[0])).toEqual(['50000'])
    expect(limitsIn(shares(instance), ['memory.max', 'memory.limit_in_bytes'])).toEqual([String(share.memoryBytes)])
    go.resolve()
    await pulled
    await expect.poll(() => shares(instance)).toEqual([])
  })

  it('leaves nothing after an agent that was killed, either', async () => {
    await start(() => false)
    const instance = newInstance()
    openShare(instance, 7n, { cores: 1, memoryBytes: 2 ** 30 })
    expect(shares(instance)).not.toEqual([])
    open(instance)
    expect(shares(instance)).toEqual([])
  })
})

it('removes an image that the engine has of an earlier version, once another was pulled', async () => {
  await start(() => false)
  const [digest, imageId] = [`sha256:${'ab'.repeat(32)}`, 'cd'.repeat(32)]
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ [digest]: { imageId, bytes: 1, usedAt: 1 } }))
  const removed: string[] = []
  await ensure(
    open(newInstance(), (id) => removed.push(id)),
    5n,
  )
  expect(removed).toEqual([imageId])
  expect(readFileSync(join(folder, 'own.json'), 'utf8')).not.toContain(digest)
})

it('forgets layers that no image has any more, at the next start', async () => {
  await start(() => false)
  await ensure(open(), 5n)
  const layers = () => readdirSync(join(folder, 'layers'))
  expect(layers()).toHaveLength(2)
  open()
  expect(layers()).toHaveLength(2)
  writeFileSync(join(folder, 'own.json'), '{}')
  open()
  expect(layers()).toEqual([])
})
