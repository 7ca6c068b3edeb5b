import { visitUrl } from '@rackfair/rules/deployment/visitUrl'
import { type AgentConfig, originOfName } from '../config/agentConfig.ts'

/** Where visitors of an order begin: at its name, if edges and an authority give it one, else at the registered address. */
export function visitLinkOf(gateway: AgentConfig['gateway'], orderId: bigint, user: string): string {
  const { publicHost, port, tls } = gateway
  const named = originOfName(gateway, orderId)
  if (named !== undefined) return `${named}/`
  const link = visitUrl({ ip: publicHost, port }, orderId, user)
  return tls ? link.replace(/^http:/, 'https:') : link
}
