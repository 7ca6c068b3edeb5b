import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { formatImage, type ImageReference } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { z } from 'zod'
import { createRegistryRequests, parseJson, type RegistryAccount, readAll, type Session } from './createRegistryRequests.ts'

const MAX_LAYERS = 127
/** Of an index that does not say what its images are for: so many are looked into. */
const MAX_UNNAMED = 8

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/)
const descriptor = z.object({ mediaType: z.string().max(200), digest, size: z.number().int().min(0) })
const manifest = z.object({ config: descriptor, layers: z.array(descriptor).min(1).max(MAX_LAYERS) })
const index = z.object({
  manifests: z
    .array(descriptor.extend({ platform: z.object({ architecture: z.string(), os: z.string() }).optional() }))
    .max(1000),
})
const imageConfig = z.object({
  architecture: z.string(),
  os: z.string(),
  rootfs: z.object({ diff_ids: z.array(digest).max(MAX_LAYERS) }),
})
/** This machine's, as images name it. */
export const ARCHITECTURE: string = { x64: 'amd64' }[process.arch as string] ?? process.arch
const PLATFORM = `linux/${ARCHITECTURE}`
const MANIFESTS = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]

/** What a registry says of an image before any of its layers is fetched. */
export interface RemoteImage {
  /** That the name points to, of all architectures where there are several. */
  digest: string
  config: { bytes: Buffer; digest: string }
  layers: { mediaType: string; digest: string; size: number; diffId: string }[]
}

export type RegistryClient = ReturnType<typeof createRegistryClient>

/**
 * Speaks with registries as containers do (OCI distribution 1.1). `local` are registries of the provider's own network, which are asked
 * without TLS; every other one must be on the internet.
 */
export function createRegistryClient({ local, documentMs }: { local: readonly string[]; documentMs?: number }) {
  const { ask, skip, close } = createRegistryRequests(local, documentMs)

  const readManifest = async (image: ImageReference, name: string, session: Session, account: RegistryAccount | undefined) => {
    const answer = await ask(image, `manifests/${name}`, { accept: MANIFESTS.join(', ') }, session, account)
    const bytes = await readAll(answer.body)
    const actual = digestOf(bytes)
    if (name.startsWith('sha256:') && name !== actual) throw corrupt(image, name)
    return { bytes, digest: actual, json: parseJson(bytes) }
  }

  /** The image of a manifest, and what it is for; undefined where the manifest is of something else. */
  const readImage = async (image: ImageReference, json: unknown, session: Session, account: RegistryAccount | undefined) => {
    const { data: described } = manifest.safeParse(json)
    if (!described) return undefined
    const answer = await ask(image, `blobs/${described.config.digest}`, {}, session, account)
    const bytes = await readAll(answer.body)
    if (digestOf(bytes) !== described.config.digest) throw corrupt(image, described.config.digest)
    const { data: config } = imageConfig.safeParse(parseJson(bytes))
    if (config?.rootfs.diff_ids.length !== described.layers.length) return undefined
    const diffIds = config.rootfs.diff_ids
    const layers = described.layers.map((layer, at) => ({ ...layer, diffId: diffIds[at] as string }))
    return {
      platform: `${config.os}/${config.architecture}`,
      remote: { config: { bytes, digest: described.config.digest }, layers },
    }
  }

  return {
    /** Reads what an image consists of. Throws when there is none for this machine, or it may not be had. */
    async describe(image: ImageReference, session: Session, account?: RegistryAccount): Promise<RemoteImage> {
      const first = await readManifest(image, image.digest ?? image.tag ?? 'latest', session, account)
      const several = index.safeParse(first.json).data?.manifests
      if (!several) {
        const only = await readImage(image, first.json, session, account)
        if (!only) throw new AppError('image_not_found', `${formatImage(image)} is no container image`)
        if (only.platform !== PLATFORM) throw wrongArchitecture(image, [only.platform])
        return { ...only.remote, digest: first.digest }
      }
      const fitting = several.find(({ platform }) => platform && `${platform.os}/${platform.architecture}` === PLATFORM)
      // An index need not say what its images are for; they do themselves.
      const candidates = fitting ? [fitting] : several.filter(({ platform }) => !platform).slice(0, MAX_UNNAMED)
      const has = several.flatMap(({ platform }) =>
        platform && platform.os !== 'unknown' ? [`${platform.os}/${platform.architecture}`] : [],
      )
      for (const candidate of candidates) {
        const { json } = await readManifest(image, candidate.digest, session, account)
        const one = await readImage(image, json, session, account)
        if (one?.platform === PLATFORM) return { ...one.remote, digest: first.digest }
        if (one) has.push(one.platform)
      }
      throw wrongArchitecture(image, has)
    },

    /** The bytes of a blob of `size` from `from` to before `to`; all of them, and `isPart` is false, if the registry gives no parts. */
    async blob(
      image: ImageReference,
      name: string,
      { from, to, size }: { from: number; to: number; size: number },
      session: Session,
      account?: RegistryAccount,
      signal?: AbortSignal,
    ): Promise<{ body: Readable; isPart: boolean }> {
      const isAll = from === 0 && to === size
      const range: Record<string, string> = isAll ? {} : { range: `bytes=${from}-${to - 1}` }
      const answer = await ask(image, `blobs/${name}`, range, session, account, { signal })
      const begins = /^bytes (\d+)-/.exec(String(answer.headers['content-range'] ?? ''))?.[1]
      if (answer.statusCode < 206) return { body: answer.body, isPart: isAll }
      if (answer.statusCode === 206 && Number(begins ?? from) === from) return { body: answer.body, isPart: true }
      await skip(answer)
      throw corrupt(image, name)
    },

    /** Whether the registry shows this account a blob of this size in the image's repository. */
    async shows(
      image: ImageReference,
      { digest, size }: { digest: string; size: number },
      session: Session,
      account?: RegistryAccount,
    ): Promise<boolean> {
      try {
        const answer = await ask(image, `blobs/${digest}`, {}, session, account, { method: 'HEAD' })
        await skip(answer)
        return Number(answer.headers['content-length']) === size
      } catch (error) {
        // Whoever then fetches it is told why not.
        if (error instanceof AppError) return false
        throw error
      }
    },

    close,
  }
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const wrongArchitecture = (image: ImageReference, has: readonly string[]): AppError =>
  new AppError(
    'image_architecture',
    `${formatImage(image)} is for ${[...new Set(has)].join(', ').slice(0, 200)}, this machine is ${ARCHITECTURE}`,
  )

const corrupt = (image: ImageReference, name: string): AppError =>
  new AppError('registry_unreachable', `${image.registry} sent something else than ${name}`, { retryable: true })
