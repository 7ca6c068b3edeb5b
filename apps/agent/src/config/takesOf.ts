import type { ProviderTakes } from '@rackfair/core/wire'
import type { Runtime } from '../runtime/Runtime.ts'
import { type AgentConfig, hasOwnOrigins } from './agentConfig.ts'

/** What buyers are told before they pay: what this agent takes besides what its computer has. */
export function takesOf(
  { ownImages, gateway }: AgentConfig,
  { kind, whyNoGvisor }: Pick<Runtime, 'kind' | 'whyNoGvisor'>,
  ready: readonly string[] | undefined,
): ProviderTakes {
  const { offered, maxImageGb, registries } = ownImages
  // With Docker orders have no user ids of their own, and neither images nor commands of renters.
  const takesOwn = offered && kind !== 'docker'
  return {
    ownImages: takesOwn ? { maxGb: maxImageGb, ...(registries ? { registries } : {}) } : null,
    ports: Boolean(gateway.appPorts),
    ssh: Boolean(gateway.sshPort) && kind !== 'docker',
    protected: hasOwnOrigins(gateway),
    runtimes: takesOwn && whyNoGvisor === undefined ? ['runc', 'runsc'] : ['runc'],
    ...(ready ? { ready: [...ready] } : {}),
  }
}
