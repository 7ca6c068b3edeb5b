import { type Issuers, isBoundTo } from '@rackfair/rules/network/issuers'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import { type DomainsChange, type OwnDomains, requestDomains } from '@rackfair/sdk/workspace'
import { orderIdOf, type Session } from '../session.ts'

export const listDomains = (session: Session, order: string): Promise<void> => change(session, order, { op: 'list' })

export const addDomain = (session: Session, order: string, domain: string): Promise<void> =>
  change(session, order, { op: 'add', domain })

export const removeDomain = (session: Session, order: string, domain: string): Promise<void> =>
  change(session, order, { op: 'remove', domain })

async function change(session: Session, order: string, request: DomainsChange): Promise<void> {
  const { text, output } = session
  const orderId = orderIdOf(order, text)
  const found: OwnDomains = await requestDomains(await session.workspace(orderId), request)
  const { target, caa, domains } = found
  output.note(target === null ? text.noDomains : text.pointDomain(target))
  const records = dnsRecords()
  const checked = await Promise.all(
    domains.map(async (one) => {
      const [alias, issuers] = await Promise.all([records.cname(one.domain), records.issuers(one.domain)]).then(
        ([names, found]) => [names[0], found] as const,
        () => [undefined, undefined] as const,
      )
      return { ...one, alias, issuers }
    }),
  )
  const open = checked.flatMap((one) => warningOf(text, one, caa) ?? [])
  for (const line of open) output.note(line)
  if (caa !== null && (open.length > 0 || domains.length === 0)) output.note(text.caaRecord(caa))
  output.data(
    {
      orderId,
      target,
      caa,
      domains: checked.map(({ domain, isServed, alias, issuers }) => ({
        domain,
        isServed,
        alias: alias ?? null,
        issuers: issuers?.who ?? null,
      })),
    },
    domains.map(({ domain }) => `https://${domain}/`).join('\n'),
  )
}

/** Who else could be given a certificate; undefined where nobody could. */
export function warningOf(
  { caaOpen }: Pick<Session['text'], 'caaOpen'>,
  { domain, alias, issuers }: { domain: string; alias: string | undefined; issuers: Issuers | undefined },
  caa: string | null,
): string | undefined {
  // Authorities follow a CNAME for CAA records, too: what is said there can change at any time.
  if (alias !== undefined) return caaOpen.alias(domain, alias)
  if (issuers === undefined) return caaOpen.unknown(domain)
  if (issuers.who === 'anybody' || issuers.who === 'nobody') return caaOpen[issuers.who](domain)
  if (caa === null ? issuers.who === 'account' : isBoundTo(issuers, caa)) return undefined
  return caaOpen[issuers.who](domain, issuers.issue.join(' '))
}
