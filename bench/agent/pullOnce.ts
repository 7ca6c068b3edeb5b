import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { openLayerStore } from '../../apps/agent/src/runtime/layers/layerStore.ts'
import { createRegistryClient } from '../../apps/agent/src/runtime/registry/createRegistryClient.ts'
import { fetchImage } from '../../apps/agent/src/runtime/registry/fetchImage.ts'

/** What one pull took; memory compared with the process before it. */
export interface Pulled {
  ms: number
  grownBytes: number
}

/** Pulls `HOST NAME` with its tag 1 into the store FOLDER, in a process of its own, as the agent does. */
const [registryHost = '', repository = '', folder = ''] = process.argv.slice(2)
const registry = createRegistryClient({ local: [] })
const image = { registry: registryHost, repository, tag: '1' }
const session = {}
const before = process.memoryUsage.rss()
const at = performance.now()
const remote = await registry.describe(image, session)
const store = openLayerStore(folder)
const came = join(folder, 'pull')
const layers = await fetchImage({
  ...{ registry, image, remote, folder: came, maxBytes: 1e12, have: new Map(), session },
  onProgress: () => {},
})
const imageId = remote.config.digest.slice('sha256:'.length)
store.take(
  join(came, 'layers'),
  imageId,
  remote.config.bytes,
  layers.map(({ diffId }) => diffId),
)
if (store.find(imageId)?.layers.length !== layers.length) throw new Error('the image is not there')
const ms = performance.now() - at
await registry.close()
console.log(JSON.stringify({ ms, grownBytes: process.resourceUsage().maxRSS * 1024 - before } satisfies Pulled))
