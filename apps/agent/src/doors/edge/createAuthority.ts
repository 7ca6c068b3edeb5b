import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { caaFor } from '@rackfair/rules/network/issuers'
import { writePrivate } from './writePrivate.ts'

/** Between two questions to the authority while it checks; it grows up to ten times that. */
const POLL_MS = 500
const POLLS = 20
const REQUEST_MS = 30_000
const MAX_ANSWER_BYTES = 1_000_000

/**
 * An authority that issues certificates by ACME. It checks a name by tls-alpn-01: it asks for the name by TLS, as visitors do, so that no
 * other port is needed.
 *
 * @param options `directory`: the URL of the authority. `accountFile`: its account's key, made at the first start; beside it, with the ending
 * `.caa`, the record that names the account.
 */
export function createAuthority({ directory, accountFile }: { directory: string; accountFile: string }) {
  const challenges = new Map<string, SecureContext>()
  const key = accountKey(accountFile)
  let loaded: ReturnType<typeof loadClient> | undefined
  return {
    /** Key and certificates of the name, in one text. */
    async issue(name: string): Promise<string> {
      loaded ??= loadClient(directory, key)
      const { axios, client, crypto } = await loaded
      const ownKey = newKey()
      const [, csr] = await crypto.createCsr({ altNames: [name] }, ownKey)
      const chain = await client.auto({
        ...{ csr, termsOfServiceAgreed: true, skipChallengeVerification: true, challengePriority: ['tls-alpn-01'] },
        challengeCreateFn: async (authorization, _challenge, keyAuthorization) => {
          const [challengeKey, cert] = await crypto.createAlpnCertificate(authorization, keyAuthorization)
          challenges.set(authorization.identifier.value, createSecureContext({ key: challengeKey, cert }))
        },
        challengeRemoveFn: async (authorization) => void challenges.delete(authorization.identifier.value),
      })
      if (caaOf(accountFile, directory) === null)
        noteCaa(accountFile, directory, await identityOf(directory, axios), client.getAccountUrl())
      return `${ownKey.trim()}\n${chain}`
    },
    /** What answers the authority when it checks this name; undefined while it does not. */
    challengeOf: (name: string): SecureContext | undefined => challenges.get(name),
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
