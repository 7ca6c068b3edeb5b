import { afterEach, describe, expect, it } from 'vitest'
import { type StandInRegistry, standInRegistry } from '../../testing/standInRegistry.ts'
import { digestOf } from '../../testing/startRegistry.ts'
import { ARCHITECTURE } from './createRegistryClient.ts'

let registry: StandInRegistry
afterEach(() => registry.close())

const OTHER = ARCHITECTURE === 'amd64' ? 'arm64' : 'amd64'
const INDEX = 'application/vnd.oci.image.index.v1+json'
type Entry = { platform?: { architecture: string; os: string }; digest?: string }

describe('an index of images', () => {
  /** Each entry is the one image of the registry, or something that is none. */
  const describeIndex = async (entries: readonly Entry[], config = {}) => {
    let index = Buffer.alloc(0)
    const none = Buffer.from('{"schemaVersion":2,"config":{}}')
    registry = await standInRegistry(
      ({ kind, name, answer }) => {
        if (kind !== 'manifest' || name === digestOf(registry.manifest)) return false
        answer.writeHead(200, { 'content-type': INDEX }).end(name === digestOf(none) ? none : index)
        return true
      },
      { config },
    )
    const manifests = entries.map(({ digest, ...more }) => ({
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      digest: digest ?? digestOf(registry.manifest),
      size: 1,
      ...more,
    }))
    manifests.forEach((one) => {
      if (one.digest === 'none') one.digest = digestOf(none)
    })
    index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }))
    return { found: registry.registry.describe(registry.image, {}), digest: () => digestOf(index) }
  }

  it.each<[string, Entry[]]>([
    ['does not say what its one image is for', [{}]],
    ['says it of others only', [{ platform: { os: 'linux', architecture: OTHER } }, {}]],
    ['has things that are no image', [{ digest: 'none' }, { platform: { os: 'unknown', architecture: 'unknown' } }, {}]],
    ['says it', [{ platform: { os: 'linux', architecture: ARCHITECTURE } }]],
  ])('that %s is looked into', async (_, entries) => {
    const { found, digest } = await describeIndex(entries)
    expect(await found).toMatchObject({ digest: digest(), layers: [{ digest: registry.layers[0] }] })
  })

  it('whose image is for another machine is refused by what the image says', async () => {
    const { found } = await describeIndex([{}], { architecture: OTHER })
    await expect(found).rejects.toMatchObject({
      code: 'image_architecture',
      message: expect.stringContaining(`is for linux/${OTHER}, this machine is ${ARCHITECTURE}`),
    })
  })

  it('of many unnamed images is not looked into without end', async () => {
    const { found } = await describeIndex(
      Array.from({ length: 500 }, () => ({})),
      { architecture: OTHER },
    )
    await expect(found).rejects.toMatchObject({ code: 'image_architecture' })
    expect(registry.tried.length).toBeLessThan(20)
  })
})
