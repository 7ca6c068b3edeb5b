import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { AppError, formatImage, type ImageReference, isPublicAddress } from '@rackfair/core'
import { Agent, type Dispatcher, request } from 'undici'
import { z } from 'zod'
import { publicLookup } from './publicLookup.ts'

export interface RegistryAccount {
  username: string
  password: string
}

const MAX_JSON_BYTES = 4 * 2 ** 20
const MAX_LAYERS = 127
const MAX_REDIRECTS = 5
const TIMES = { headersTimeout: 30_000, bodyTimeout: 60_000 }
const DOCKER_HUB = 'registry-1.docker.io'

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
export function createRegistryClient({ local }: { local: readonly string[] }) {
  const outside = new Agent({ connect: { lookup: publicLookup, timeout: 10_000 }, ...TIMES })
  const inside = new Agent({ connect: { timeout: 10_000 }, ...TIMES })
  /** Bearer tokens by registry, repository and account, for as long as one pull takes. */
  type Session = { token?: string }

  const get = async (
    url: URL,
    headers: Record<string, string>,
    isLocal: boolean,
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<Dispatcher.ResponseData> => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!isLocal && (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))))
      throw new AppError('registry_unreachable', `${url.host} is not on the internet, or not behind TLS`)
    try {
      return await request(url, {
        method,
        headers: { 'user-agent': 'rackfair-agent', ...headers },
        dispatcher: isLocal ? inside : outside,
      })
    } catch (cause) {
      const { code, message } = cause as { code?: string; message: string }
      throw new AppError('registry_unreachable', `${url.host}: ${code ?? message}`.slice(0, 300), { cause, retryable: true })
    }
  }

  /** Asks a registry, signs in where it wants that, and follows to where a blob lies. */
  const ask = async (
    image: ImageReference,
    path: string,
    headers: Record<string, string>,
    session: Session,
    account: RegistryAccount | undefined,
    method?: 'HEAD',
  ): Promise<Dispatcher.ResponseData> => {
    const isLocal = local.includes(image.registry)
    const host = image.registry === 'docker.io' ? DOCKER_HUB : image.registry
    let url = new URL(`${isLocal ? 'http' : 'https'}://${host}/v2/${image.repository}/${path}`)
    const origin = url.origin
    let signedIn = session.token !== undefined
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
      const authorization = session.token !== undefined && url.origin === origin ? { authorization: session.token } : undefined
      const answer = await get(url, { ...headers, ...authorization }, isLocal && url.origin === origin, method)
      const { statusCode } = answer
      if (statusCode === 401 && url.origin === origin && !signedIn) {
        await answer.body.dump()
        session.token = await signIn(String(answer.headers['www-authenticate'] ?? ''), image, isLocal, account)
        signedIn = true
        continue
      }
      if (statusCode >= 300 && statusCode < 400 && answer.headers.location !== undefined) {
        await answer.body.dump()
        url = new URL(String(answer.headers.location), url)
        continue
      }
      if (statusCode < 300 || statusCode === 416) return answer
      await answer.body.dump()
      throw refusal(image, statusCode, account)
    }
    throw new AppError('registry_unreachable', `${image.registry} sends from one place to the next`)
  }

  const signIn = async (
    challenge: string,
    image: ImageReference,
    isLocal: boolean,
    account: RegistryAccount | undefined,
  ): Promise<string> => {
    const basic = account && `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`
    if (/^basic\b/i.test(challenge)) {
      if (!basic) throw refusal(image, 401, account)
      return basic
    }
    const realm = /realm="([^"]+)"/i.exec(challenge)?.[1]
    if (!/^bearer\b/i.test(challenge) || !realm || !URL.canParse(realm)) throw refusal(image, 401, account)
    const url = new URL(realm)
    const service = /service="([^"]+)"/i.exec(challenge)?.[1]
    if (service) url.searchParams.set('service', service)
    url.searchParams.set('scope', `repository:${image.repository}:pull`)
    const answer = await get(url, basic ? { authorization: basic } : {}, isLocal)
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw refusal(image, answer.statusCode, account)
    }
    const said = z
      .object({ token: z.string().max(20_000).optional(), access_token: z.string().max(20_000).optional() })
      .safeParse(parseJson(await readAll(answer.body)))
    const token = said.data?.token ?? said.data?.access_token
    if (!token) throw refusal(image, 401, account)
    return `Bearer ${token}`
  }

  const readManifest = async (image: ImageReference, name: string, session: Session, account: RegistryAccount | undefined) => {
    const answer = await ask(image, `manifests/${name}`, { accept: MANIFESTS.join(', ') }, session, account)
    const bytes = await readAll(answer.body)
    const actual = digestOf(bytes)
    if (name.startsWith('sha256:') && name !== actual) throw corrupt(image, name)
    return { bytes, digest: actual, json: parseJson(bytes) }
  }

  return {
    /** Reads what an image consists of. Throws when there is none for this machine, or it may not be had. */
    async describe(image: ImageReference, session: Session, account?: RegistryAccount): Promise<RemoteImage> {
      const architecture = ARCHITECTURES[process.arch] ?? process.arch
      const first = await readManifest(image, image.digest ?? image.tag ?? 'latest', session, account)
      const several = index.safeParse(first.json)
      let chosen = first
      if (several.success) {
        const fitting = several.data.manifests.find(
          ({ platform }) => platform?.os === 'linux' && platform.architecture === architecture,
        )
        if (!fitting)
          throw wrongArchitecture(
            image,
            several.data.manifests.map(({ platform }) => platform?.architecture ?? '?'),
          )
        chosen = await readManifest(image, fitting.digest, session, account)
      }
      const parsed = manifest.safeParse(chosen.json)
      if (!parsed.success) throw new AppError('image_not_found', `${formatImage(image)} is no container image`)
      const answer = await ask(image, `blobs/${parsed.data.config.digest}`, {}, session, account)
      const bytes = await readAll(answer.body)
      if (digestOf(bytes) !== parsed.data.config.digest) throw corrupt(image, parsed.data.config.digest)
      const config = imageConfig.safeParse(parseJson(bytes))
      if (!config.success || config.data.rootfs.diff_ids.length !== parsed.data.layers.length)
        throw new AppError('image_not_found', `${formatImage(image)} is no container image`)
      if (config.data.os !== 'linux' || config.data.architecture !== architecture)
        throw wrongArchitecture(image, [`${config.data.os}/${config.data.architecture}`])
      const diffIds = config.data.rootfs.diff_ids
      return {
        digest: first.digest,
        config: { bytes, digest: parsed.data.config.digest },
        layers: parsed.data.layers.map((layer, at) => ({ ...layer, diffId: diffIds[at] as string })),
      }
    },

    /** The bytes of a blob from an offset on; `from` is 0 in the answer where the registry cannot begin in the middle. */
    async blob(
      image: ImageReference,
      name: string,
      from: number,
      session: Session,
      account?: RegistryAccount,
    ): Promise<{ body: Readable; from: number }> {
      const answer = await ask(image, `blobs/${name}`, from > 0 ? { range: `bytes=${from}-` } : {}, session, account)
      return { body: answer.body, from: answer.statusCode === 206 ? from : 0 }
    },

    /** Whether the registry shows this account a blob of this size in the image's repository. */
    async shows(
      image: ImageReference,
      { digest, size }: { digest: string; size: number },
      session: Session,
      account?: RegistryAccount,
    ): Promise<boolean> {
      try {
        const { headers, body } = await ask(image, `blobs/${digest}`, {}, session, account, 'HEAD')
        await body.dump()
        return Number(headers['content-length']) === size
      } catch (error) {
        // Whoever then fetches it is told why not.
        if (error instanceof AppError) return false
        throw error
      }
    },

    close: async () => {
      await Promise.all([outside.destroy(), inside.destroy()])
    },
  }
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const wrongArchitecture = (image: ImageReference, has: readonly string[]): AppError =>
  new AppError(
    'image_architecture',
    `${formatImage(image)} is for ${[...new Set(has)].join(', ').slice(0, 200)}, this machine is ${ARCHITECTURES[process.arch] ?? process.arch}`,
  )

const corrupt = (image: ImageReference, name: string): AppError =>
  new AppError('registry_unreachable', `${image.registry} sent something else than ${name}`, { retryable: true })

function refusal(image: ImageReference, status: number, account: RegistryAccount | undefined): AppError {
  const name = formatImage(image)
  if (status === 404)
    return new AppError('image_not_found', `${image.registry} has no ${image.repository}:${image.digest ?? image.tag}`)
  if (status === 401 || status === 403)
    return new AppError(
      'registry_denied',
      account
        ? `${image.registry} refuses ${account.username} with this password for ${image.repository}`
        : `${image.registry} shows ${image.repository} to its users only, or has none: check the name, or give a user name and a password`,
    )
  if (status === 429)
    return new AppError('registry_unreachable', `${image.registry} answers too many requests`, { retryable: true })
  return new AppError('registry_unreachable', `${image.registry} answers ${status} for ${name}`, { retryable: status >= 500 })
}

async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_JSON_BYTES) throw new AppError('image_too_large', 'the registry describes the image in more than 4 MB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
