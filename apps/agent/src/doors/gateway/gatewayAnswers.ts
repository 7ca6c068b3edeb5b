import { isIPv6 } from 'node:net'
import type { AgentConfig } from '../../config/agentConfig.ts'

const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const TIMEOUT_MS = 2000

/** Whether an agent answers where its gateway listens; probed on loopback if it listens on all addresses. */
export async function gatewayAnswers({ host, port }: AgentConfig['gateway']): Promise<boolean> {
  const at = EVERYWHERE[host] ?? host
  try {
    const url = `http://${isIPv6(at) ? `[${at}]` : at}:${port}/healthz`
    return (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}
