import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Asked, type StandInRegistry, standInRegistry } from '../../testing/standInRegistry.ts'
import { digestOf, packLayer, packLayerFast, tarOf } from '../../testing/startRegistry.ts'
import { PART_BYTES } from './blobFile.ts'

let registry: StandInRegistry
afterEach(() => registry.close())

const rangeOf = ({ request }: Asked): string => request.headers.range ?? 'all'
const blobsOf = (digest: string | undefined) => registry.tried.filter(({ name }) => name === digest)
let packed: ReturnType<typeof packLayerFast> | undefined
const large = () => {
  packed ??= packLayerFast(tarOf({ large: randomBytes(2.5 * PART_BYTES) }))
  return packed
}
/** Sends the first bytes of what was asked for, and cuts the connection when they are stored: what a client has not read goes with it. */
const cutAfter = async ({ answer, request, name }: Asked, bytes: number) => {
  const blob = registry.blobs.get(name) as Buffer
  const [, from = '0', to = String(blob.length - 1)] = /(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
  const headers = { 'content-range': `bytes ${from}-${to}/${blob.length}`, 'content-length': Number(to) + 1 - Number(from) }
  const first = (of: Buffer) => of.subarray(Number(from), Number(from) + bytes)
  answer.writeHead(206, headers).write(first(blob))
  await expect.poll(() => first(stored(name)).equals(first(blob))).toBe(true)
  answer.destroy()
  return true
}
const stored = (digest: string) => {
  const file = join(registry.folder, 'blobs/sha256', digest.slice('sha256:'.length))
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}

describe('a large layer', () => {
  it('comes in parts over several connections, each resumed at the byte where it stopped', async () => {
    const layer = large()
    let cuts = 0
    let open = 0
    let most = 0
    registry = await standInRegistry(
      async (asked) => {
        if (asked.name !== digestOf(layer.packed)) return false
        open += 1
        most = Math.max(most, open)
        asked.answer.once('close', () => (open -= 1))
        // The last two parts wait for one another.
        if (rangeOf(asked) !== `bytes=0-${PART_BYTES - 1}`) await expect.poll(() => most).toBeGreaterThan(1)
        cuts += 1
        return cuts < 5 && cutAfter(asked, 2 ** 20)
      },
      { layers: [layer] },
    )
    expect(await registry.pull()).toMatchObject([{ bytes: layer.packed.length }])
    const asked = blobsOf(digestOf(layer.packed)).map(rangeOf)
    expect(asked[0]).toBe(`bytes=0-${PART_BYTES - 1}`)
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked).toContain(`bytes=${2 ** 20}-${PART_BYTES - 1}`)
    expect(statSync(join(registry.unpacked(layer), 'large')).size).toBe(2.5 * PART_BYTES)
    // What came is of no use any more.
    expect(readdirSync(join(registry.folder, 'blobs/sha256'))).toEqual([])
  })

  it('is resumed by a later pull, without any part that is there', async () => {
    const layer = large()
    let isBroken = true
    registry = await standInRegistry(
      (asked) => {
        if (asked.name !== digestOf(layer.packed) || !isBroken || !rangeOf(asked).startsWith(`bytes=${PART_BYTES}`)) return false
        asked.answer.writeHead(404).end()
        return true
      },
      { layers: [layer] },
    )
    await expect(registry.pull()).rejects.toMatchObject({ code: 'image_not_found' })
    isBroken = false
    registry.tried.length = 0
    await registry.pull()
    expect(blobsOf(digestOf(layer.packed)).map(rangeOf)).not.toContain(`bytes=0-${PART_BYTES - 1}`)
    expect(blobsOf(digestOf(layer.packed)).map(rangeOf)).toContain(`bytes=${PART_BYTES}-${2 * PART_BYTES - 1}`)
  })

  it('comes as a whole from a registry that gives no parts, once', async () => {
    const layer = large()
    registry = await standInRegistry(
      (asked) => {
        delete asked.request.headers.range
        return false
      },
      { layers: [layer] },
    )
    expect(await registry.pull()).toHaveLength(1)
    expect(blobsOf(digestOf(layer.packed))).toHaveLength(1)
  })

  it.each([
    ['half of what lies beside it', '[1,'],
    ['more than there can be', JSON.stringify([9e9, 9e9, 9e9])],
  ])('is fetched again where its notes say %s', async (_, notes) => {
    const layer = large()
    registry = await standInRegistry(() => false, { layers: [layer] })
    const file = join(registry.folder, 'blobs/sha256', digestOf(layer.packed).slice(7))
    mkdirSync(join(registry.folder, 'blobs/sha256'), { recursive: true })
    writeFileSync(file, Buffer.alloc(layer.packed.length))
    writeFileSync(`${file}.parts`, notes)
    await expect(registry.pull()).rejects.toMatchObject({ code: 'registry_unreachable', retryable: true })
    expect(await registry.pull()).toHaveLength(1)
  })
})

describe('a layer that unpacks to far more than was fetched', () => {
  const zeros = tarOf({ zeros: Buffer.alloc(130 * 2 ** 20) })

  it.each([
    ['gzip', () => packLayer(zeros)],
    ['zstd', () => packLayerFast(zeros)],
  ])('is refused, packed by %s', async (_, pack) => {
    registry = await standInRegistry(() => false, { layers: [pack()] })
    await expect(registry.pull()).rejects.toMatchObject({
      code: 'image_too_large',
      retryable: false,
      message: expect.stringContaining('100 times'),
    })
  })

  it('is taken where it is small, or was fetched for the most part', async () => {
    const mixed = tarOf({ mixed: Buffer.concat([randomBytes(4 * 2 ** 20), Buffer.alloc(130 * 2 ** 20)]) })
    const small = tarOf({ small: Buffer.alloc(2 ** 20) })
    registry = await standInRegistry(() => false, { layers: [packLayerFast(small), packLayerFast(mixed)] })
    expect(await registry.pull()).toHaveLength(2)
  })
})

it('ends what goes on before it says that a layer cannot be had', async () => {
  const layers = [packLayerFast(tarOf({ a: randomBytes(1000) })), packLayerFast(tarOf({ b: randomBytes(1000) }))]
  registry = await standInRegistry(
    async (asked) => {
      if (asked.name === registry.layers[1]) {
        asked.answer.writeHead(200, { 'content-length': layers[1]?.packed.length ?? 0 }).flushHeaders()
        return true
      }
      if (asked.name !== registry.layers[0]) return false
      await expect.poll(() => blobsOf(registry.layers[1])).toHaveLength(1)
      asked.answer.writeHead(404).end()
      return true
    },
    { layers },
  )
  await expect(registry.pull()).rejects.toMatchObject({ code: 'image_not_found' })
  const [hanging] = blobsOf(registry.layers[1])
  if (!hanging?.request.socket.destroyed) await once(hanging?.request.socket as never, 'close')
})
