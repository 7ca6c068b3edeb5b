import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { CAA_METHODS, caaFor } from '@rackfair/rules/network/issuers'
import type { Authorization } from 'acme-client'
import { NotIssued } from './createCertificates.ts'
import { createDnsProof, type DnsServerOf } from './dns/createDnsProof.ts'
import { writePrivate } from './writePrivate.ts'

/** Between two questions to the authority while it checks; it grows up to ten times that. */
const POLL_MS = 500
const POLLS = 20
const REQUEST_MS = 30_000
const MAX_ANSWER_BYTES = 1_000_000
const HTTP_PATH = '/.well-known/acme-challenge/'

/** How an authority checks that a name is ours. */
type Way = 'tls-alpn-01' | 'http-01' | 'dns-01'
interface Proof {
  put: (authorization: Authorization, token: string, keyAuthorization: string) => Promise<void>
  remove: (authorization: Authorization, token: string, keyAuthorization: string) => Promise<void>
}

/**
 * An authority that issues certificates by ACME. It checks a name by tls-alpn-01: it asks for the name by TLS, as visitors do, so that no
 * other port is needed; where that fails, by http-01 at port 80. All names below another, `*.atlas.edge.example`, it checks by dns-01.
 *
 * @param options `directory`: the URL of the authority. `accountFile`: its account's key, made at the first start; beside it, with the ending
 * `.caa`, the record that names the account. `hearsHttp`: what comes to port 80 of names comes here. `serversOf`: the name servers that take
 * changes for a name.
 */
export function createAuthority(options: { directory: string; accountFile: string; hearsHttp: boolean; serversOf: DnsServerOf }) {
  const { directory, accountFile } = options
  const key = accountKey(accountFile)
  const tls = createTlsProof()
  const http = createHttpProof()
  const proofs: Record<Way, Proof> = { 'tls-alpn-01': tls, 'http-01': http, 'dns-01': createDnsProof(options.serversOf) }
  const ofSingle: readonly Way[] = options.hearsHttp ? ['tls-alpn-01', 'http-01'] : ['tls-alpn-01']
  let loaded: ReturnType<typeof loadClient> | undefined

  const issueBy = async (way: Way, altNames: string[], told: { isChecked: boolean }): Promise<string> => {
    loaded ??= loadClient(directory, key)
    const { axios, client, crypto } = await loaded
    const ownKey = newKey()
    const [, csr] = await crypto.createCsr({ altNames }, ownKey)
    const chain = await client.auto({
      ...{ csr, termsOfServiceAgreed: true, skipChallengeVerification: true, challengePriority: [way] },
      async challengeCreateFn(authorization, challenge, keyAuthorization) {
        if (challenge.type !== way) throw new Error(`the authority offers no ${way}`)
        await proofs[way].put(authorization, challenge.token, keyAuthorization)
        told.isChecked = true
      },
      challengeRemoveFn: (authorization, challenge, keyAuthorization) =>
        proofs[way].remove(authorization, challenge.token, keyAuthorization),
    })
    // Again where an older version noted one that leaves out a way.
    if (!caaOf(accountFile, directory)?.includes(`=${CAA_METHODS}"`))
      noteCaa(accountFile, directory, await identityOf(directory, axios), client.getAccountUrl())
    return `${CHECKED_BY}${way}\n${ownKey.trim()}\n${chain}`
  }
  return {
    /**
     * Key and certificates of the name, in one text that says first how it was checked. With `*.atlas.edge.example` also for
     * `atlas.edge.example`.
     * @throws NotIssued
     */
    async issue(name: string): Promise<string> {
      const isWide = name.startsWith('*.')
      const failed: string[] = []
      for (const way of isWide ? (['dns-01'] as const) : ofSingle) {
        const told = { isChecked: false }
        try {
          return await issueBy(way, isWide ? [name.slice(2), name] : [name], told)
        } catch (error) {
          failed.push(`${way}: ${(error as Error).message}`)
          // Nothing was checked: the authority itself cannot be reached, or the proof cannot be given.
          if (!told.isChecked) break
        }
      }
      throw new NotIssued(failed.join('; '), failed.length)
    },
    /** What answers the authority when it checks this name by TLS; undefined while it does not. */
    challengeOf: tls.of,
    /** The same by HTTP. */
    proofOf: http.of,
  }
}

/** Begins the text of a certificate. */
const CHECKED_BY = 'checked by '
/** How the authority checked the name; undefined where the text does not say. */
export const checkedBy = (pem: string): string | undefined =>
  pem.startsWith(CHECKED_BY) ? pem.slice(CHECKED_BY.length, pem.indexOf('\n')) : undefined

function createTlsProof() {
  const challenges = new Map<string, SecureContext>()
  return {
    of: (name: string): SecureContext | undefined => challenges.get(name),
    async put(authorization: Authorization, _token: string, keyAuthorization: string): Promise<void> {
      const { crypto } = await import('acme-client')
      const [key, cert] = await crypto.createAlpnCertificate(authorization, keyAuthorization)
      challenges.set(authorization.identifier.value, createSecureContext({ key, cert }))
    },
    remove: async ({ identifier }: Authorization) => void challenges.delete(identifier.value),
  }
}

function createHttpProof() {
  const answers = new Map<string, string>()
  const keyOf = (host: string, token: string) => `${host} ${token}`
  return {
    of: (host: string, path: string): string | undefined =>
      path.startsWith(HTTP_PATH) ? answers.get(keyOf(host, path.slice(HTTP_PATH.length))) : undefined,
    put: async ({ identifier }: Authorization, token: string, keyAuthorization: string) =>
      void answers.set(keyOf(identifier.value, token), keyAuthorization),
    remove: async ({ identifier }: Authorization, token: string) => void answers.delete(keyOf(identifier.value, token)),
  }
}

/** Loaded with the first certificate: it takes 40 MB. It has no time limit of its own, and waits as long as an authority that refuses says. */
async function loadClient(directoryUrl: string, accountKey: string) {
  const { axios, Client, crypto } = await import('acme-client')
  const defaults = axios.defaults as typeof axios.defaults & { acmeSettings: { retryMaxAttempts: number } }
  Object.assign(defaults, { timeout: REQUEST_MS, maxContentLength: MAX_ANSWER_BYTES, maxRedirects: 0 })
  defaults.acmeSettings.retryMaxAttempts = 0
  const pace = { backoffAttempts: POLLS, backoffMin: POLL_MS, backoffMax: POLL_MS * 10 }
  return { axios, client: new Client({ directoryUrl, accountKey, ...pace }), crypto }
}

/** The CAA record that lets nobody but the account of this agent issue; null until it has one at this authority. */
export function caaOf(accountFile: string, directory: string): string | null {
  try {
    const { directory: noted, caa } = JSON.parse(readFileSync(`${accountFile}.caa`, 'utf8'))
    return noted === directory && typeof caa === 'string' ? caa : null
  } catch {
    return null
  }
}

function noteCaa(accountFile: string, directory: string, authority: string, accountUri: string): void {
  if (!/^https:\/\/[!-~]{1,400}$/.test(accountUri) || /[";\\]/.test(accountUri)) return
  writePrivate(`${accountFile}.caa`, JSON.stringify({ directory, caa: caaFor(authority, accountUri) }))
}

/** The name of an authority in CAA records, as its directory says; without a word of it, that of its host. */
async function identityOf(directory: string, axios: typeof import('acme-client').axios): Promise<string> {
  const { data } = await axios.get(directory)
  const said: unknown = data?.meta?.caaIdentities?.[0]
  return typeof said === 'string' && /^[a-z0-9.-]{1,100}$/i.test(said) ? said : new URL(directory).hostname
}

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

function accountKey(file: string): string {
  if (!existsSync(file)) writePrivate(file, newKey())
  const pem = readFileSync(file, 'utf8')
  createPrivateKey(pem)
  return pem
}
