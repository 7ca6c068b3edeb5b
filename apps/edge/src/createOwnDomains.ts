import { type DoorAgentMessage, MAX_DOMAINS } from '@rackfair/protocol/door'
import { type DomainRecords, pointsTo } from '@rackfair/rules/network/ownDomain'
import type { Control } from './createControls.ts'

type Domains = Extract<DoorAgentMessage, { type: 'domains' }>

/** Domains of renters: each leads to the agent of the order to which its own records point, whoever else claims it. */
export function createOwnDomains({ zone, records }: { zone: string; records: DomainRecords }) {
  const byDomain = new Map<string, Control>()
  /** What each agent has claimed, checked one after the other. */
  const claims = new Map<Control, { domains: Set<string>; waiting: number; checked: Promise<void> }>()
  const drop = (control: Control, domain: string) => {
    if (byDomain.get(domain) === control) byDomain.delete(domain)
  }
  const check = async (control: Control, { domain, order }: Domains['add'][number]) => {
    const isOwn = domain !== zone && !domain.endsWith(`.${zone}`)
    // Where no resolver answers, what was found before stays.
    const points = isOwn && (await pointsTo(domain, order, [control.name], records).catch(() => byDomain.get(domain) === control))
    const isServed = points && claims.get(control)?.domains.has(domain) === true
    if (isServed) byDomain.set(domain, control)
    else drop(control, domain)
    control.send({ type: 'domain', domain, order, isServed })
  }
  return {
    find: (name: string): Control | undefined => byDomain.get(name),
    /** An agent claims domains, or gives them up. */
    said(control: Control, { add, remove }: Domains): void {
      const own = claims.get(control) ?? { domains: new Set<string>(), waiting: 0, checked: Promise.resolve() }
      claims.set(control, own)
      for (const domain of remove) {
        own.domains.delete(domain)
        drop(control, domain)
      }
      for (const one of add) {
        const isOneMore = !own.domains.has(one.domain)
        if (own.waiting >= MAX_DOMAINS || (isOneMore && own.domains.size >= MAX_DOMAINS)) continue
        own.domains.add(one.domain)
        own.waiting += 1
        own.checked = own.checked
          .then(() => (claims.has(control) ? check(control, one) : undefined))
          .finally(() => {
            own.waiting -= 1
          })
      }
    },
    left(control: Control): void {
      for (const domain of claims.get(control)?.domains ?? []) drop(control, domain)
      claims.delete(control)
    },
  }
}
