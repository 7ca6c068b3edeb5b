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
  const { target, domains } = found
  output.note(target === null ? text.noDomains : text.pointDomain(target))
  output.data({ orderId, ...found }, domains.map(({ domain }) => `https://${domain}/`).join('\n'))
}
