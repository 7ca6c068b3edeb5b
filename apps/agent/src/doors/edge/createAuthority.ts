import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
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
 * @param options `directory`: the URL of the authority. `accountFile`: its account's key, made at the first start.
 */
export function createAuthority({ directory, accountFile }: { directory: string; accountFile: string }) {
  const challenges = new Map<string, SecureContext>()
  const key = accountKey(accountFile)
  let loaded: ReturnType<typeof loadClient> | undefined
  return {
    /** Key and certificates of the name, in one text. */
    async issue(name: string): Promise<string> {
      loaded ??= loadClient(directory, key)
      const { client, crypto } = await loaded
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
  return { client: new Client({ directoryUrl, accountKey, ...pace }), crypto }
}

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

function accountKey(file: string): string {
  if (!existsSync(file)) writePrivate(file, newKey())
  const pem = readFileSync(file, 'utf8')
  createPrivateKey(pem)
  return pem
}
