import { pageLink, reachOf, visitLink } from '@rackfair/rules/deployment/visitUrl'
import { readDeployment, readOrder } from '@rackfair/sdk/http'
import { type NameProof, proveVisit } from '@rackfair/sdk/proveName'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session } from '../session.ts'

/**
 * Prints where the application of an order is, says who could read what is sent there, and checks who ends TLS. Without a `domain` at the
 * order's own address.
 */
export async function visit(session: Session, order: string, domain: string | undefined): Promise<number> {
  const { text, output } = session
  const orderId = orderIdOf(order, text)
  if (domain !== undefined && !/^[a-z0-9.-]{1,253}(:\d{1,5})?$/i.test(domain))
    throw new CliError(EXIT.usage, 'bad_request', text.badDomain(domain))
  const market = await session.market()
  const placed = readOrder(await market.api.order(String(orderId)))
  const told = readDeployment(await market.api.orderDeployment(String(orderId)))
  if (domain === undefined && told.visitUrl === null) throw new CliError(EXIT.notFound, 'not_found', text.noPage)
  const link = domain === undefined ? pageLink(placed, told) : `https://${domain}/`
  const reach = reachOf(link, placed)
  output.note(reach.kind === 'secure' ? text.reach.secure(reach.host) : text.reach[reach.kind])
  const checked = domain === undefined ? visitLink(placed, told.visitUrl) : link
  const proof = checked.startsWith('https:') ? await proveVisit(market, orderId, checked) : undefined
  output.data({ orderId, url: link, reach: reach.kind, tls: proof ?? null }, link)
  if (!proof) return EXIT.ok
  const { notes, exitCode } = judge(proof, text)
  for (const note of notes) output.note(note)
  return exitCode
}

/** What is said of who ends TLS, and how the command ends. */
export function judge(proof: NameProof, { endsTls }: Pick<Session['text'], 'endsTls'>): { notes: string[]; exitCode: number } {
  if (proof.who === 'silent') return { notes: [endsTls.silent(proof.reason)], exitCode: EXIT.unreachable }
  const untrusted = proof.isTrusted ? [] : [endsTls.untrusted(proof.issuer)]
  const notes = [...untrusted, endsTls[proof.who](proof.certificate)]
  return { notes, exitCode: proof.who === 'agent' ? EXIT.ok : EXIT.refused }
}
