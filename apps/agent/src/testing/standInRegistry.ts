import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layerName } from '../runtime/layers/unpackedLayers.ts'
import { createRegistryClient } from '../runtime/registry/createRegistryClient.ts'
import type { RegistryAccount } from '../runtime/registry/createRegistryRequests.ts'
import { fetchImage } from '../runtime/registry/fetchImage.ts'
import { digestOf, type PackedLayer, packLayer, tarOf } from './startRegistry.ts'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'

/** Something that a registry is asked for: of a blob its digest, of an image the name or digest of its manifest. */
export interface Asked {
  request: IncomingMessage
  answer: ServerResponse
  url: URL
  kind: 'blob' | 'manifest' | 'other'
  name: string
}

interface StandInOptions {
  layers?: readonly PackedLayer[]
  /** What its configuration says otherwise. */
  config?: object
  /** Further names of this machine that the agent takes for registries of its own network. */
  local?: readonly string[]
  times?: { paceMs: number; leastBytes: number }
  documentMs?: number
}

/**
 * A registry in this process with one image, `a/b:1`: for what Debian's does not do, or only after minutes. `answer` is asked first, and
 * says whether it has answered.
 */
export async function standInRegistry(
  answer: (asked: Asked) => boolean | Promise<boolean>,
  {
    layers = [packLayer(tarOf({ a: randomBytes(1000) }))],
    config = {},
    local = [],
    times = { paceMs: 60_000, leastBytes: 1 },
    documentMs = 60_000,
  }: StandInOptions = {},
) {
  const blobs = new Map<string, Buffer>()
  const put = (bytes: Buffer) => {
    blobs.set(digestOf(bytes), bytes)
    return { digest: digestOf(bytes), size: bytes.length }
  }
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        ...put(
          Buffer.from(
            JSON.stringify({
              ...{ architecture: process.arch === 'x64' ? 'amd64' : process.arch, os: 'linux' },
              rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
              ...config,
            }),
          ),
        ),
      },
      layers: layers.map(({ packed, packing }) => ({
        mediaType: `application/vnd.oci.image.layer.v1.tar+${packing}`,
        ...put(packed),
      })),
    }),
  )
  const tried: Asked[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://registry')
    const [, kind, name = ''] = /^\/v2\/a\/b\/(blob|manifest)s\/(\S+)$/.exec(url.pathname) ?? []
    const asked: Asked = { request, answer: response, url, kind: (kind as Asked['kind']) ?? 'other', name }
    tried.push(asked)
    if (await answer(asked)) return
    const bytes = asked.kind === 'manifest' ? manifest : blobs.get(name)
    if (!bytes) return void response.writeHead(404).end()
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const to = Number(/^bytes=\d+-(\d+)$/.exec(request.headers.range ?? '')?.[1] ?? bytes.length - 1)
    const part = bytes.subarray(from, to + 1)
    const headers = { 'content-type': MANIFEST, 'content-length': part.length }
    if (request.headers.range === undefined) response.writeHead(200, headers)
    else response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` })
    response.end(request.method === 'HEAD' ? undefined : part)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const registry = createRegistryClient({ documentMs, local: [host, ...local.map((name) => host.replace('127.0.0.1', name))] })
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-pull-'))
  const image = { registry: host, repository: 'a/b', tag: '1' }

  return {
    host,
    image,
    registry,
    folder,
    manifest,
    layers: layers.map(({ packed }) => digestOf(packed)),
    blobs,
    tried,
    /** Where `pull` puts the files of a layer. */
    unpacked: ({ diffId }: PackedLayer) => join(folder, 'layers', layerName(diffId)),
    /** Fetches the image as an agent does, into the same folder each time. */
    async pull({ account, maxBytes = 2 ** 30 }: { account?: RegistryAccount; maxBytes?: number } = {}) {
      const session = {}
      const remote = await registry.describe(image, session, account)
      return fetchImage({
        registry,
        image,
        remote,
        folder,
        maxBytes,
        have: new Map(),
        session,
        account,
        onProgress: () => {},
        times: { ...times, retryMs: 1 },
      })
    },
    async close() {
      await registry.close()
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type StandInRegistry = Awaited<ReturnType<typeof standInRegistry>>
