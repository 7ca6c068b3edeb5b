import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeImageCache } from '../../testing/recipeImages.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { layerName } from '../layers/unpackedLayers.ts'
import { createOrderDisks } from './orderDisk.ts'
import { mountOwnRoot } from './ownRoot.ts'

const reason = whyNoContainers()
const NGINX = 2

describe.skipIf(reason)(`an agent whose folder has a long name with blanks (${reason ?? 'here'})`, () => {
  const top = mkdtempSync(join(tmpdir(), 'rackfair-long-'))
  const deep = join(top, ...Array.from({ length: 6 }, (_, at) => `a folder whose name is not short ${at}`))
  let market: TestRuntime

  beforeAll(async () => {
    mkdirSync(deep, { recursive: true })
    market = await setupRuntime({ data: join(deep, 'data'), imageCache: makeImageCache(join(deep, 'images')) })
  })
  afterAll(async () => {
    await market.close()
    rmSync(top, { recursive: true, force: true })
  })

  it('imports the image of a preset and runs it', async () => {
    expect(deep.length).toBeGreaterThan(200)
    const address = await market.run(1n, NGINX)
    expect((await fetch(`http://${address}:8080/`)).status).toBe(200)
    expect((await market.inside(1n, 'df /srv | tail -1')).output).not.toBe('')
    await market.runtime.remove(1n, { wipe: true })
    expect(await market.runtime.ordersWithData()).toEqual([])
    expect(readdirSync(deep).sort()).toEqual(['data', 'images'])
  })

  it('puts the root of an own application together from as many layers as an image may have', async () => {
    const layers = Array.from({ length: 127 }, (_, at) => {
      const layer = join(deep, 'layers', layerName(`sha256:${String(at).padStart(3, '0').padEnd(64, '0')}`))
      mkdirSync(layer, { recursive: true })
      writeFileSync(join(layer, `file${at}`), '')
      return layer
    })
    const disks = createOrderDisks(join(deep, 'disks'), true, join(top, 'roots'))
    await disks.mount(7n, 2 ** 27, [])
    try {
      const { path, volumes } = await mountOwnRoot({
        ...{ home: disks.home(7n), root: disks.rootOf(7n), layers, firstUserId: 1_000_000 },
        ...{
          volumes: [
            { name: 'outer', path: '/data' },
            { name: 'inner', path: '/data/in/it' },
          ],
          files: [],
          user: '0',
          workingDir: '/',
        },
      })
      expect(readdirSync(path)).toEqual(expect.arrayContaining(['file0', 'file126']))
      // The place of one volume in another is in that one's folder.
      expect([...volumes.keys()]).toEqual(['/data', '/data/in/it'])
      expect(existsSync(join(volumes.get('/data') ?? '', 'in', 'it'))).toBe(true)
      writeFileSync(join(path, 'written'), '')
      chownSync(join(path, 'written'), 1_000_000, 1_000_000)
      expect(existsSync(join(disks.home(7n), 'mnt', '.own', 'upper', 'written'))).toBe(true)
    } finally {
      await disks.wipe(7n)
    }
    expect(existsSync(disks.home(7n))).toBe(false)
  })
})
