import { setTimeout as sleep } from 'node:timers/promises'
import { changeTxt, type DnsServer, UpdateRefused } from './changeTxt.ts'
import type { TxtChange } from './wire.ts'

/** A record of the check is asked for once, and soon. */
const TTL = 60
/** A name server learns a new key some seconds after the agent does. */
const PATIENCE = { untilMs: 15_000, pauseMs: 1_000 }

/** The name servers that take changes of `_acme-challenge.<domain>`; none where nobody does. */
export type DnsServerOf = (domain: string) => readonly DnsServer[]

export const challengeName = (domain: string): string => `_acme-challenge.${domain}`

/** Proves by dns-01 (RFC 8555, 8.4) that a domain and all names below it are ours. */
export function createDnsProof(serversOf: DnsServerOf, patience = PATIENCE) {
  const changeOf = (domain: string, value: string, ttl: number | undefined): TxtChange => ({
    ...{ name: challengeName(domain), value, ttl },
  })
  const put = async (server: DnsServer, change: TxtChange): Promise<void> => {
    for (const until = performance.now() + patience.untilMs; ; ) {
      try {
        return await changeTxt(server, change)
      } catch (error) {
        if (!(error instanceof UpdateRefused) || error.code !== 'BADKEY' || performance.now() >= until) throw error
        await sleep(patience.pauseMs)
      }
    }
  }
  return {
    /** `value`: the digest of the key authorization. Rejects where no name server has it: the authority asks any of them, so one that is away is left out. */
    async put({ identifier }: { identifier: { value: string } }, _token: string, value: string): Promise<void> {
      const servers = serversOf(identifier.value)
      if (servers.length === 0) throw new Error(`no name server takes changes of ${challengeName(identifier.value)}`)
      const change = changeOf(identifier.value, value, TTL)
      const done = await Promise.allSettled(servers.map((server) => put(server, change)))
      const failed = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
      if (failed.length === servers.length) throw failed[0]
    },
    async remove({ identifier }: { identifier: { value: string } }, _token: string, value: string): Promise<void> {
      const change = changeOf(identifier.value, value, undefined)
      await Promise.allSettled(serversOf(identifier.value).map((server) => changeTxt(server, change)))
    },
  }
}
