import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { type Asked, type StandInRegistry, standInRegistry } from '../../testing/standInRegistry.ts'
import { packLayer } from '../../testing/startRegistry.ts'
import { OWN_IMAGES } from '../ownImageRules.ts'
import type { RunSpec } from '../RunSpec.ts'
import { imageConfigOf } from './imageConfig.ts'
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

/** The store of an agent whose engine takes every layout. */
const open = () => {
  const imported = new Set<string>()
  return createOwnImages({
    folder,
    settings: { ...OWN_IMAGES, localRegistries: [registry.host] },
    importLayout: async (layout) => {
      const blob = (digest: string) => JSON.parse(readFileSync(join(layout, 'blobs/sha256', digest.slice(7)), 'utf8'))
      const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'))
      const id = blob(index.manifests[0].digest).config.digest.slice(7)
      imported.add(id)
      return id
    },
    inspect: async (id) => (imported.has(id) ? imageConfigOf({}) : undefined),
    removeImage: async () => {},
    used: async () => new Set(),
    log: sayingLog(() => {}),
  })
}
const app = () => ({ image: `${registry.host}/a/b:1`, volumes: [], own: { ports: [] } }) as unknown as RunSpec
const partial = () => readdirSync(join(folder, 'pulls'))
const ensure = (images: ReturnType<typeof open>, orderId: bigint, maxBytes = 2 ** 30) =>
  images.ensure(app(), undefined, { orderId, maxBytes, onPull: () => {} })
const isLayer = ({ name }: Asked, at: number) => name === registry.layers[at]
const start = async (answer: (asked: Asked) => boolean | Promise<boolean>) => {
  registry = await standInRegistry(answer, { layers: [packLayer(randomBytes(1000)), packLayer(Buffer.alloc(100_000))] })
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
