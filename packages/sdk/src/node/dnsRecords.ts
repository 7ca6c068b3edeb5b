import { Resolver } from 'node:dns/promises'
import { type Issuers, issuersOf, namesWithCaa } from '@rackfair/rules/network/issuers'
import type { DomainRecords } from '@rackfair/rules/network/ownDomain'

const TIMEOUT_MS = 1_000
const TRIES = 2
/** How long all resolvers together may take for one question. */
const ANSWER_MS = 2_500
/** The name has no such record, or there is no such name. */
const NOTHING: ReadonlySet<string | undefined> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * What the DNS says of a domain, by this machine's resolvers or those named, as `127.0.0.1:5353`.
 *
 * @throws Error where no resolver answers within 2.5 seconds.
 * @example await dnsRecords().cname('shop.example') // ['o-12.atlas.edge.example']
 */
export function dnsRecords(servers?: readonly string[]): DomainRecords & {
  /** Who may certify a name, by its CAA records and those above it. */ issuers(name: string): Promise<Issuers>
} {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const orNothing = async <T>(asking: Promise<T[]>): Promise<T[]> => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('no resolver answers in time')), ANSWER_MS)
    try {
      return await Promise.race([asking, late.promise])
    } catch (error) {
      if (NOTHING.has((error as NodeJS.ErrnoException).code)) return []
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    cname: (name) => orNothing(resolver.resolveCname(name)),
    async issuers(name) {
      for (const one of namesWithCaa(name)) {
        const found = await orNothing(resolver.resolveCaa(one))
        if (found.length > 0) return issuersOf(found.map((record) => ({ ...record })))
      }
      return { who: 'anybody' }
    },
    txt: async (name) => (await orNothing(resolver.resolveTxt(name))).map((parts) => parts.join('')),
  }
}
