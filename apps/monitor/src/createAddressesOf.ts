import { Resolver } from 'node:dns/promises'
import { ownDomain } from '@rackfair/rules/network/ownDomain'

const TIMEOUT_MS = 1_000
const TRIES = 2
/** How long all resolvers together may take. */
const ANSWER_MS = 3_000
/** The most addresses that are asked, of both kinds. */
const MAX_ADDRESSES = 4

/**
 * The addresses of a name, by this machine's resolvers or those given, as `127.0.0.1:5353`; none for what is no name, has none, or is not
 * answered for in three seconds.
 *
 * @example await createAddressesOf()('p-5b38da6a70.edge.example') // ['198.51.100.7', '203.0.113.9']
 */
export function createAddressesOf(servers?: readonly string[]): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return async (text) => {
    const name = ownDomain(text)
    if (name === undefined) return []
    const late = Promise.withResolvers<[]>()
    const timer = setTimeout(() => late.resolve([]), ANSWER_MS)
    const asked = [resolver.resolve4(name), resolver.resolve6(name)].map((one) =>
      Promise.race([one.catch(() => []), late.promise]),
    )
    const found = await Promise.all(asked)
    clearTimeout(timer)
    return [...new Set(found.flat())].slice(0, MAX_ADDRESSES)
  }
}
