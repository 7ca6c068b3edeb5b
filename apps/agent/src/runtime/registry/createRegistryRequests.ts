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

/** The bearer token of one registry, repository and account, for as long as one pull takes. */
export type Session = { token?: string }

const MAX_JSON_BYTES = 4 * 2 ** 20
const MAX_REDIRECTS = 5
const TIMES = { headersTimeout: 30_000, bodyTimeout: 60_000 }
const DOCKER_HUB = 'registry-1.docker.io'

/** Asks registries as who an account is; only those of `local` on this network, and without TLS. */
export function createRegistryRequests(local: readonly string[]) {
  const outside = new Agent({ connect: { lookup: publicLookup, timeout: 10_000 }, ...TIMES })
  const inside = new Agent({ connect: { timeout: 10_000 }, ...TIMES })

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
    throw new AppError('registry_unreachable', `${image.registry} redirects from one place to the next`)
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

  return {
    ask,
    close: async () => {
      await Promise.all([outside.destroy(), inside.destroy()])
    },
  }
}

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
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_JSON_BYTES) throw new AppError('image_too_large', 'the registry describes the image in more than 4 MB')
    chunks.push(chunk)
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
