import { promises as dns } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import type { Log } from '../../foundation/log.ts'

/** Asked by tenants where the provider names no others. */
const PUBLIC_RESOLVERS = ['1.1.1.1', '9.9.9.9', '8.8.8.8'] as const
/** As many as the C library reads from resolv.conf. */
const MAX_RESOLVERS = 3
const ANSWER_MS = 2000
const CHECK_AGAIN_MS = 60_000
/** The second one has the resolvers behind systemd's own at 127.0.0.53. */
const RESOLV_CONF = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'] as const

/** Whether a resolver answers at all, be it with an error. */
async function resolverAnswers(address: string, tries: number): Promise<boolean> {
  const resolver = new dns.Resolver({ timeout: ANSWER_MS, tries })
  resolver.setServers([address])
  try {
    await resolver.resolve4('example.com')
    return true
  } catch (error) {
    return !['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** Those that answer: of the provider's choice, else public ones, else those that this machine itself asks. */
export async function chooseResolvers(configured: readonly string[] | undefined, tries = 1): Promise<string[]> {
  for (const candidates of configured ? [configured] : [PUBLIC_RESOLVERS, resolversOfMachine()]) {
    const answers = await Promise.all(candidates.map((address) => resolverAnswers(address, tries)))
    const found = candidates.filter((_, index) => answers[index])
    if (found.length > 0) return found
  }
  return []
}

/**
 * The resolvers that tenants ask, without anything of this machine in between: the provider's choice, else public ones, else, in a
 * network that lets none of those through, the ones that this machine itself asks.
 */
export function createResolvers({
  configured,
  onChange,
  log,
}: {
  configured: readonly string[] | undefined
  onChange: () => Promise<void>
  log: Log
}) {
  let current: readonly string[] = configured ?? PUBLIC_RESOLVERS
  let checkedAt: number | undefined
  let answering = true

  return {
    current: () => current,
    /** Checks, at most once a minute, whether the chosen resolvers answer, and chooses others where they do not. */
    async keep() {
      if (checkedAt !== undefined && performance.now() - checkedAt < CHECK_AGAIN_MS) return
      checkedAt = performance.now()
      const found = await chooseResolvers(configured)
      if (found.length === 0 && answering)
        log.error('no resolver answers that tenants could ask; their applications find no names', { asked: current })
      answering = found.length > 0
      // Those that answer now may be fewer for a moment: a file that names one more does no harm.
      if (!answering || found.every((address) => current.includes(address))) return
      current = found
      log.info('tenants ask other resolvers for names', { resolvers: found })
      await onChange()
    },
  }
}

/** What this machine asks by itself, as far as a container can reach it: not itself. */
export function resolversOfMachine(files: readonly string[] = RESOLV_CONF): string[] {
  for (const file of files) {
    if (!existsSync(file)) continue
    const found = [...readFileSync(file, 'utf8').matchAll(/^\s*nameserver\s+(\S+)/gm)]
      .map(([, address]) => address ?? '')
      .filter((address) => isIPv4(address) && !address.startsWith('127.'))
    if (found.length > 0) return found.slice(0, MAX_RESOLVERS)
  }
  return []
}
