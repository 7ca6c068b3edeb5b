import { visitUrl } from '@rackfair/rules/deployment/visitUrl'
import type { AgentConfig } from '../config/agentConfig.ts'

/** Where visitors of an order begin: at its name, if edges and an authority give it one, else at the registered address. */
export function visitLinkOf(gateway: AgentConfig['gateway'], orderId: bigint, user: string): string {
  const { edges, acme, domain, publicHost, port, tls } = gateway
  if (edges && acme && domain) return `https://o-${orderId}.${domain}/`
  const link = visitUrl({ ip: publicHost, port }, orderId, user)
  return tls ? link.replace(/^http:/, 'https:') : link
}
