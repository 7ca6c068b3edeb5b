import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyItRests } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { makeImageCache } from '../../testing/recipeImages.ts'
import { temporaryFolder } from '../../testing/temporaryFolder.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { createEngineRuntime, type EngineRuntime } from './createEngineRuntime.ts'
import { newInstance } from './names.ts'
import { podmanPaths } from './podmanService.ts'
import { removeEngine } from './removeEngine.ts'

const NGINX = 2
/** Long enough that an engine on a busy machine is not mistaken for a stuck one. */
const PING_MS = 15_000
const reason = whyNoContainers() ?? whyItRests('podman service')

describe.skipIf(reason)(`the engine of one agent (${reason ?? 'here'})`, () => {
  const instance = newInstance()
  const data = temporaryFolder('runtime')
  const paths = podmanPaths(join(data, 'engine'), instance)
  let runtime: EngineRuntime

  beforeAll(async () => {
    makeImageCache(join(data, 'images'))
    runtime = await createEngineRuntime({
      ...{ instance, data, presetsFolder: PRESETS_FOLDER, imageCache: join(data, 'images'), pingMs: PING_MS },
      log: sayingLog(() => {}),
    })
  })
  afterAll(async () => {
    await runtime?.firewall.remove()
    await removeEngine(data, paths.run)
  })

  const services = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`unix://${paths.socket}`)
        } catch {
          return false
        }
      })
  const kill = async () => {
    for (const pid of services()) process.kill(pid, 'SIGKILL')
    await expect.poll(services).toEqual([])
  }

  it('builds a missing image once when two orders need it at the same time', async () => {
    const app = loadCatalog().get(NGINX)?.app
    if (!app) throw new Error('no nginx')
    const lines: string[] = []
    const note = (line: string) => lines.push(line)
    const ids = await Promise.all([runtime.ensureImage(app, note), runtime.ensureImage(app, note)])
    expect(new Set(ids).size).toBe(1)
    expect(lines.filter((line) => line.startsWith('importing'))).toHaveLength(1)
    expect(await runtime.ensureImage(app, note)).toBe(ids[0])
  })

  it('finds what another agent of this machine imported', async () => {
    const app = loadCatalog().get(NGINX)?.app
    if (!app) throw new Error('no nginx')
    const neighbour = { instance: newInstance(), data: mkdtempSync(join(tmpdir(), 'rackfair-runtime-')) }
    const second = await createEngineRuntime({
      ...{ ...neighbour, presetsFolder: PRESETS_FOLDER, imageCache: join(data, 'images') },
      log: sayingLog(() => {}),
    })
    const lines: string[] = []
    expect(await second.ensureImage(app, (line) => lines.push(line))).toBe(await runtime.ensureImage(app))
    expect(lines).toEqual([])
    await second.close({ stopWorkloads: true })
    await removeEngine(neighbour.data, podmanPaths('', neighbour.instance).run)
  })

  it('does not mistake an unreachable engine for a missing image', async () => {
    const app = loadCatalog().get(NGINX)?.app
    if (!app) throw new Error('no nginx')
    await kill()
    const away = { code: 'engine_unavailable', retryable: true }
    await expect(runtime.ensureImage(app)).rejects.toMatchObject(away)
    await expect(runtime.hasImage(app)).rejects.toMatchObject(away)
    await runtime.check()
    expect(await runtime.hasImage(app)).toBe(true)
  })

  it('is restarted once, however many callers notice that it was killed', async () => {
    await kill()
    await Promise.all([runtime.check(), runtime.check(), runtime.check()])
    expect(services()).toHaveLength(1)
    expect(await runtime.list()).toEqual([])
  })

  it('is killed and restarted when it hangs', async () => {
    const [stuck] = services()
    if (stuck === undefined) throw new Error('no service')
    process.kill(stuck, 'SIGSTOP')
    await Promise.all([runtime.check(), runtime.check()])
    expect(services()).toHaveLength(1)
    expect(services()).not.toContain(stuck)
    expect(await runtime.list()).toEqual([])
  })

  it('is not restarted once the agent stops', async () => {
    await kill()
    const checks = [runtime.check(), runtime.check()]
    await runtime.close({ stopWorkloads: false })
    await Promise.all(checks)
    await runtime.check()
    expect(services()).toEqual([])
  })
})
