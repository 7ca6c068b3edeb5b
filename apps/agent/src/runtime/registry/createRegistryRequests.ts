import type { Readable } from 'node:stream'
import { formatImage, type ImageReference } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isInsideIp, publicLookup } from '@rackfair/sdk/publicLookup'
import { Agent, type Dispatcher, request } from 'undici'
import { z } from 'zod'

export interface RegistryAccount {
  username: string
  password: string
}

/** What one pull is signed in with at its registry. All its requests share it, and whoever finds it expired renews it for all. */
export interface Session {
  credential?: Credential
  /** What the registry demanded, for signing in again before a token expires. */
  challenge?: string
  /** The identity token that the registry gave in place of the renter's, which may be void from then on. */
  identity?: string
  signingIn?: Promise<Credential>
}

interface Credential {
  authorization: string
  /** Of `performance.now()`. */
  goodUntil: number
}

const MAX_JSON_BYTES = 4 * 2 ** 20
const MAX_REDIRECTS = 5
const TIMES = { headersTimeout: 30_000, bodyTimeout: 60_000 }
const DOCUMENT_MS = 60_000
const MAX_UNREAD_BYTES = 2 ** 16
const DOCKER_HUB = 'registry-1.docker.io'
/** How long a token is good whose registry does not say it (distribution's token specification). */
const TOKEN_SECONDS = 60
/** The part of that time after which it is renewed: a request needs some time to arrive. */
const RENEW_AFTER = 0.9
/** The user name that says, as in Docker's own configuration, that the password is an identity token. */
const IDENTITY = '<token>'

interface GetOptions {
  method?: 'GET' | 'HEAD' | 'POST' | undefined
  body?: string
  signal?: AbortSignal | undefined
}

/**
 * Asks registries as who an account is; only those of `local` on this network, and without TLS. What is not a blob has to come within
 * `documentMs`: a byte now and then would hold a pull without end.
 */
export function createRegistryRequests(local: readonly string[], documentMs = DOCUMENT_MS) {
  // HTTP/1.1, with a connection for each request: over HTTP/2 all share one, and its windows let a few hundred kilobytes pass for each
  // round trip, however fast the line is.
  const outside = new Agent({ allowH2: false, connect: { lookup: publicLookup, timeout: 10_000 }, ...TIMES })
  const inside = new Agent({ connect: { timeout: 10_000 }, ...TIMES })

  const get = async (
    url: URL,
    headers: Record<string, string>,
    isLocal: boolean,
    { method = 'GET', body, signal }: GetOptions = {},
  ): Promise<Dispatcher.ResponseData> => {
    if (!isLocal && (url.protocol !== 'https:' || isInsideIp(url)))
      throw new AppError('registry_unreachable', `${url.host} is not on the internet, or not behind TLS`)
    try {
      return await request(url, {
        method,
        body: body ?? null,
        signal: signal ?? null,
        headers: { 'user-agent': 'rackfair-agent', ...headers },
        dispatcher: isLocal ? inside : outside,
      })
    } catch (cause) {
      const { code } = cause as { code?: unknown }
      const why = typeof code === 'string' ? `cannot be reached (${code.slice(0, 64)})` : 'is not on the internet'
      throw new AppError('registry_unreachable', `${url.host} ${why}`, { cause, retryable: true })
    }
  }

  const soon = () => AbortSignal.timeout(documentMs)
  const skip = ({ body }: Dispatcher.ResponseData) =>
    body.dump({ limit: MAX_UNREAD_BYTES, signal: soon() }).catch(() => void body.destroy())

  /**
   * Asks a registry, signs in where it wants that, and follows to where a blob lies. A pull may outlast any token and any signed address:
   * both are got anew for each request that needs it.
   */
  const ask = async (
    image: ImageReference,
    path: string,
    headers: Record<string, string>,
    session: Session,
    account: RegistryAccount | undefined,
    { method, signal }: { method?: 'HEAD'; signal?: AbortSignal | undefined } = {},
  ): Promise<Dispatcher.ResponseData> => {
    const isLocal = local.includes(image.registry)
    const host = image.registry === 'docker.io' ? DOCKER_HUB : image.registry
    let url = new URL(`${isLocal ? 'http' : 'https'}://${host}/v2/${image.repository}/${path}`)
    const origin = url.origin
    let isNew = false
    const renew = async () => {
      session.signingIn ??= signIn(image, isLocal, session, account).finally(() => {
        delete session.signingIn
      })
      session.credential = await session.signingIn
      isNew = true
    }
    if (session.credential && session.credential.goodUntil < performance.now()) await renew()
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
      const isOrigin = url.origin === origin
      const used = isOrigin ? session.credential : undefined
      const answer = await get(
        url,
        { ...headers, ...(used && { authorization: used.authorization }) },
        isLocal && local.includes(url.host),
        { method, signal: signal ?? soon() },
      )
      const { statusCode } = answer
      if (statusCode < 300 || statusCode === 416) return answer
      await skip(answer)
      if (statusCode === 401 && isOrigin && !isNew) {
        session.challenge = String(answer.headers['www-authenticate'] ?? '')
        // Another request of this pull may have renewed it meanwhile.
        if (session.credential === used) await renew()
        isNew = true
      } else if (statusCode < 400 && answer.headers.location !== undefined) url = new URL(String(answer.headers.location), url)
      else throw isOrigin ? refusal(image, statusCode, account) : notGiven(url, statusCode)
    }
    throw new AppError('registry_unreachable', `${image.registry} redirects from one place to the next`)
  }

  const signIn = async (
    image: ImageReference,
    isLocal: boolean,
    session: Session,
    account: RegistryAccount | undefined,
  ): Promise<Credential> => {
    const challenge = session.challenge ?? ''
    const basic = account && `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`
    const bearer = /\bbearer\s.*/i.exec(challenge)?.[0]
    if (bearer === undefined && basic && /\bbasic\b/i.test(challenge))
      return { authorization: basic, goodUntil: Number.POSITIVE_INFINITY }
    const realm = /realm="([^"]+)"/i.exec(bearer ?? '')?.[1]
    if (!realm || !URL.canParse(realm)) throw refusal(image, 401, account)
    const url = new URL(realm)
    const asked: Record<string, string> = { scope: `repository:${image.repository}:pull` }
    const service = /service="([^"]+)"/i.exec(bearer ?? '')?.[1]
    if (service) asked.service = service
    const at = performance.now()
    let answer: Dispatcher.ResponseData
    if (account?.username === IDENTITY) {
      const body = new URLSearchParams({
        ...asked,
        grant_type: 'refresh_token',
        client_id: 'rackfair-agent',
        refresh_token: session.identity ?? account.password,
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      answer = await get(url, headers, isLocal, { method: 'POST', body: body.toString(), signal: soon() })
    } else {
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      answer = await get(url, basic ? { authorization: basic } : {}, isLocal, { signal: soon() })
    }
    if (answer.statusCode !== 200) {
      await skip(answer)
      throw refusal(image, answer.statusCode, account)
    }
    const said = tokenAnswer.safeParse(parseJson(await readAll(answer.body))).data
    const token = said?.token || said?.access_token
    if (!said || !token) throw refusal(image, 401, account)
    if (said.refresh_token) session.identity = said.refresh_token
    return { authorization: `Bearer ${token}`, goodUntil: at + said.expires_in * 1000 * RENEW_AFTER }
  }

  return {
    ask,
    /** Reads the rest of an answer that is of no use, so that its connection serves the next request. */
    skip,
    close: async () => {
      await Promise.all([outside.destroy(), inside.destroy()])
    },
  }
}

const token = z.string().max(20_000).optional()
const tokenAnswer = z.object({
  token,
  access_token: token,
  refresh_token: token,
  expires_in: z.number().positive().catch(TOKEN_SECONDS),
})

/** Addresses of blobs are signed for minutes; the registry gives a new one to whoever asks again. */
const notGiven = ({ host }: URL, status: number): AppError =>
  new AppError('registry_unreachable', `${host}, where the registry keeps the image, answers ${status}`, { retryable: true })

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
    return new AppError('registry_unreachable', `${image.registry} says that there are too many requests`, { retryable: true })
  return new AppError('registry_unreachable', `${image.registry} answers ${status} for ${name}`, { retryable: status >= 500 })
}

export async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_JSON_BYTES) throw new AppError('image_too_large', 'the registry describes the image in more than 4 MB')
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('registry_unreachable', "the registry's answer ended early", {
      cause,
      retryable: true,
    })
  }
  return Buffer.concat(chunks)
}

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
