import type { ProviderTakes } from '@rackfair/protocol/nodes'
import { type AgentConfig, hasOwnOrigins } from '../../config/agentConfig.ts'
import type { Runtime } from '../../runtime/Runtime.ts'

/** The features this agent announces to buyers before they pay, besides its hardware. */
export function takesOf(
  { ownImages, gateway }: AgentConfig,
  { kind, whyNoGvisor, whyNoServices }: Pick<Runtime, 'kind' | 'whyNoGvisor' | 'whyNoServices'>,
  ready: readonly string[] | undefined,
): ProviderTakes {
  const { offered, maxImageGb, registries } = ownImages
  // With Docker, orders have no user ids of their own, so renters' images and commands are not accepted.
  const takesOwn = offered && kind !== 'docker'
  return {
    ownImages: takesOwn ? { maxGb: maxImageGb, ...(registries ? { registries } : {}) } : null,
    ports: Boolean(gateway.appPorts),
    ssh: Boolean(gateway.sshPort) && kind !== 'docker',
    protected: hasOwnOrigins(gateway),
    services: takesOwn && whyNoServices === undefined,
    files: takesOwn,
    runtimes: takesOwn && whyNoGvisor === undefined ? ['runc', 'runsc'] : ['runc'],
    ...(ready ? { ready: [...ready] } : {}),
  }
}
