import { isIP } from 'node:net'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Check } from '../../foundation/Check.ts'

const isLoopback = (host: string): boolean => host === 'localhost' || (isIP(host) > 0 && /^(127\.|::1$)/.test(host))

/**
 * Whether visitors use TLS. A gateway without it works, so this is only a warning, and not even that for a gateway only reachable locally.
 */
export function checkTls({ tls, names, publicHost }: Pick<AgentConfig['gateway'], 'tls' | 'names' | 'publicHost'>): Check {
  const name = 'TLS for visitors'
  if (tls) return { name, ok: true, found: 'yes' }
  if (names) return { name, ok: true, found: 'by the names of orders' }
  if (isLoopback(publicHost)) return { name, ok: true, found: 'no, and not needed on this machine itself' }
  const fix =
    'put a proxy with a certificate in front and write "tls": true: without it anybody on the way can read along, and a browser keeps what a former tenant of a port left there'
  return { name, ok: true, warning: true, found: 'no', fix }
}
