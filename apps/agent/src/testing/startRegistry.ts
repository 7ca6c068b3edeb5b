import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { freePort } from '@rackfair/testkit'

/** Why no registry can be started here, else undefined. */
export function whyNoRegistry(): string | undefined {
  for (const program of ['docker-registry', 'htpasswd'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`
  return undefined
}

interface TestImage {
  /** Layers as tar files, lowest first. */
  layers: readonly (Buffer | PackedLayer)[]
  config?: Record<string, unknown>
  architecture?: string
}

/** A layer that is pushed several times is packed once. */
export interface PackedLayer {
  packing: 'gzip' | 'zstd'
  packed: Buffer
  diffId: string
}

export const packLayer = (tar: Buffer): PackedLayer => ({
  packing: 'gzip',
  packed: gzipSync(tar, { level: 1 }),
  diffId: digestOf(tar),
})

/** As in newer registries; a large layer takes a fraction of the time. */
export const packLayerFast = (tar: Buffer): PackedLayer => ({
  packing: 'zstd',
  packed: zstdCompressSync(tar, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  diffId: digestOf(tar),
})

/** Debian's docker-registry, with and without a password, and a function that pushes an image to it. */
export async function startRegistry(account?: { username: string; password: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-registry-'))
  const port = await freePort()
  const auth = account ? `auth:\n  htpasswd:\n    realm: test\n    path: ${join(folder, 'htpasswd')}\n` : ''
  if (account) {
    const { stdout } = spawnSync('htpasswd', ['-Bbn', account.username, account.password])
    writeFileSync(join(folder, 'htpasswd'), stdout)
  }
  const file = join(folder, 'registry.yml')
  writeFileSync(
    file,
    `version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: ${folder}/data\nhttp:\n  addr: 127.0.0.1:${port}\n${auth}`,
  )
  const host = `127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const authorization = account && {
    authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`,
  }
  const call = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, `http://${host}`), {
      ...init,
      headers: { ...authorization, ...(init.headers as Record<string, string>) },
    })

  const start = async () => {
    child = spawn('docker-registry', ['serve', file], {
      stdio: 'ignore',
      env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' },
    })
    const deadline = Date.now() + 60_000
    while (
      !(await call('/v2/').then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (Date.now() > deadline) throw new Error('the registry does not answer')
      await sleep(50)
    }
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill()
    await ended
  }
  const putBlob = async (name: string, bytes: Buffer): Promise<{ digest: string; size: number }> => {
    const digest = digestOf(bytes)
    if ((await call(`/v2/${name}/blobs/${digest}`, { method: 'HEAD' })).ok) return { digest, size: bytes.length }
    const begun = await call(`/v2/${name}/blobs/uploads/`, { method: 'POST' })
    const url = new URL(begun.headers.get('location') ?? '', `http://${host}`)
    url.searchParams.set('digest', digest)
    const put = await call(url.href, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (put.status !== 201) throw new Error(`the blob was not taken: ${put.status} ${await put.text()}`)
    return { digest, size: bytes.length }
  }
  const putManifest = async (
    name: string,
    tag: string,
    mediaType: string,
    body: unknown,
  ): Promise<{ digest: string; size: number }> => {
    const bytes = Buffer.from(JSON.stringify(body))
    const put = await call(`/v2/${name}/manifests/${tag}`, { method: 'PUT', body: bytes, headers: { 'content-type': mediaType } })
    if (put.status !== 201) throw new Error(`the manifest was not taken: ${put.status} ${await put.text()}`)
    return { digest: digestOf(bytes), size: bytes.length }
  }

  await start()
  return {
    host,
    folder,
    start,
    stop,
    /** Pushes an image as Docker would and returns the digest of its manifest. */
    async push(name: string, tag: string, image: TestImage): Promise<string> {
      const layers = image.layers.map((layer) => (Buffer.isBuffer(layer) ? packLayer(layer) : layer))
      const config = {
        architecture: image.architecture ?? 'amd64',
        os: 'linux',
        config: image.config ?? {},
        rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      }
      const mediaType = 'application/vnd.docker.distribution.manifest.v2+json'
      const { digest } = await putManifest(name, tag, mediaType, {
        schemaVersion: 2,
        mediaType,
        config: {
          mediaType: 'application/vnd.docker.container.image.v1+json',
          ...(await putBlob(name, Buffer.from(JSON.stringify(config)))),
        },
        layers: await Promise.all(
          layers.map(async ({ packing, packed }) => ({
            mediaType: `application/vnd.docker.image.rootfs.diff.tar.${packing}`,
            ...(await putBlob(name, packed)),
          })),
        ),
      })
      return digest
    },
    /** Changes a stored blob behind the registry's back. */
    spoil(digest: string, change: (bytes: Buffer) => Buffer) {
      const hash = digest.slice('sha256:'.length)
      const data = join(folder, 'data', 'docker', 'registry', 'v2', 'blobs', 'sha256', hash.slice(0, 2), hash, 'data')
      writeFileSync(data, change(readFileSync(data)))
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type TestRegistry = Awaited<ReturnType<typeof startRegistry>>

export const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** A tar file with these files, owned by root. */
export function tarOf(files: Readonly<Record<string, string | Buffer>>, modes: Readonly<Record<string, string>> = {}): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-layer-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), content, { mode: Number.parseInt(modes[path] ?? '644', 8) })
    }
    const { stdout, stderr, status } = spawnSync(
      'tar',
      ['-C', folder, '--numeric-owner', '--owner=0', '--group=0', '-cf', '-', '.'],
      {
        maxBuffer: 2 ** 30,
      },
    )
    if (status !== 0) throw new Error(String(stderr))
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
