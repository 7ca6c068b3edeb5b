import { formatEdge, parseEdge } from '@rackfair/protocol/door'
import { AppError } from '@rackfair/rules/errors/AppError'
import { askEdge } from '@rackfair/sdk/askEdge'
import { type AgentConfig, DEFAULT_SPARES, LETS_ENCRYPT } from '../config/agentConfig.ts'
import type { Output } from './output.ts'

export interface EdgeChoices {
  edge?: string[]
  acmeTerms?: boolean
  ip?: string
  domain?: string
  gatewayHost?: string
  gatewayPort?: string
}
type Gateway = AgentConfig['gateway']
const TERMS = 'https://letsencrypt.org/repository/'

/**
 * Settings of a gateway that only edges reach: what the first of those named gives to this provider. None where no edge is named.
 * @throws AppError `bad_request` for what is no edge, `edge_unavailable`.
 */
export async function placeAtEdges(
  { edge = [], acmeTerms = false, ip: own, domain: ownDomain, gatewayHost, gatewayPort }: EdgeChoices,
  { provider, before }: { provider: string; before: { port?: number | undefined; edges?: unknown; acme?: Gateway['acme'] } },
  output: Output,
): Promise<Partial<Gateway>> {
  const edges = edge.map((text) => {
    const parsed = parseEdge(text)
    if (!parsed) throw new AppError('bad_request', `${text} is no edge: write edge.example#FINGERPRINT, with 64 hex digits`)
    return parsed
  })
  const [first] = edges
  if (!first) return {}
  if ((own ?? ownDomain ?? gatewayHost ?? gatewayPort) !== undefined)
    throw new AppError('bad_request', 'an edge gives address, port and domain: leave --ip, --domain and --gateway- options out')
  const { ip, port, domain } = await askEdge(first, provider, { port: before.edges ? before.port : undefined })
  output.say(`${formatEdge(first).split('#')[0]} gives ${ip}, port ${port}, and names below ${domain}`)
  const question = `Names get certificates of Let's Encrypt. Do you agree to its terms, ${TERMS} (yes/no)`
  const isAgreed = before.acme !== undefined || acmeTerms || /^y(es)?$/i.test((await output.ask(question, 'no')) ?? '')
  if (!isAgreed) output.say('without --acme-terms applications have no HTTPS, and those for their owner alone are refused')
  const acme = before.acme ?? { directory: LETS_ENCRYPT, termsOfServiceAgreed: true as const }
  return {
    ...{ host: '127.0.0.1', publicHost: ip, port, portRange: null, appPorts: null, sshPort: null },
    ...(isAgreed ? { domain, acme } : {}),
    edges: edges.map((one) => ({ ...one, spares: DEFAULT_SPARES })),
  }
}
