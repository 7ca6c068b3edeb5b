import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { busybox } from '../../testing/ownImageBase.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { digestOf, packLayer, startRegistry, type TestRegistry, tarOf, whyNoRegistry } from '../../testing/startRegistry.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const reason = whyNoContainers() ?? whyNoRegistry()
const OF_THE_MACHINE = /\/(?:run|tmp)\/|lstat|runc|podman|null bytes|HTTP code/

describe.skipIf(reason)(`an image that cannot be started (${reason ?? 'here'})`, () => {
  let registry: TestRegistry
  let market: TestRuntime
  let layer: ReturnType<typeof packLayer>
  let orderId = 0n
  const stop: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    registry = await startRegistry()
    stop.unshift(() => registry.close())
    market = await setupRuntime({ ownImages: { localRegistries: [registry.host], maxImageGb: 1, cacheGb: 0 } })
    stop.unshift(() => market.close())
    const files = { 'bin/busybox': await busybox(), 'etc/x': 'a file' }
    layer = packLayer(tarOf(files, { 'bin/busybox': '755' }))
  })
  afterAll(async () => {
    for (const one of stop) await one()
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>, RegExp]>([
    ['a working directory with a name that is too long', { WorkingDir: `/${'a'.repeat(300)}` }, {}, /^the working directory /],
    ['a working directory that is too long', { WorkingDir: '/a'.repeat(3000) }, {}, /^the working directory /],
    ['a working directory with NUL', { WorkingDir: '/a\0b' }, {}, /^the working directory /],
    ['a working directory below a file', { WorkingDir: '/etc/x/y' }, {}, /^the working directory /],
    ['a variable with NUL', { Env: ['A=b\0c'] }, {}, /^a variable /],
    ['a volume at a file', {}, { volumes: ['/etc/x'] }, /^a volume /],
    ['a volume below a file', {}, { volumes: ['/etc/x/y'] }, /^the volume \/etc\/x\/y /],
  ])('%s: names the field, and nothing of the machine', async (_, config, given, shown) => {
    orderId += 1n
    const base = { Entrypoint: ['/bin/busybox'], Cmd: ['sleep', '1000'] }
    await registry.push('acme/wrong', String(orderId), { layers: [layer], config: { ...base, ...config } })
    const error = await market.runOwn(orderId, { image: `${registry.host}/acme/wrong:${orderId}`, ports: [], ...given }).then(
      () => undefined,
      (cause: unknown) => cause as Error & { code: string },
    )
    await market.runtime.remove(orderId, { wipe: true })
    expect(error).toMatchObject({ code: 'start_failed', message: expect.stringMatching(shown) })
    expect(error?.message).not.toMatch(OF_THE_MACHINE)
  })

  it.each([
    [
      'of 0 bytes',
      { packing: 'gzip', packed: Buffer.alloc(0), diffId: digestOf(Buffer.alloc(0)) },
      /^image_not_found .*layer .*empty/,
    ],
    ['that is no archive', packLayer(Buffer.from('x'.repeat(2000))), /^image_missing the image cannot be imported/],
  ] as const)('a layer %s is named, and nothing of the machine', async (_, spoiled, shown) => {
    orderId += 1n
    await registry.push('acme/spoiled', String(orderId), { layers: [layer, spoiled], config: {} })
    const said = await market.runOwn(orderId, { image: `${registry.host}/acme/spoiled:${orderId}`, ports: [] }).then(
      () => 'runs',
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    )
    expect(said).toMatch(shown)
    expect(said).not.toMatch(OF_THE_MACHINE)
  })
})
