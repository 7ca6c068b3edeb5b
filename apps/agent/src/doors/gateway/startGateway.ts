import { randomBytes } from 'node:crypto'
import type { AgentContext } from '../../AgentContext.ts'
import { localInstanceOf } from '../../config/localNames.ts'
import type { OrderManager } from '../../orders/createOrderManager.ts'
import { createAttestations } from '../../uptime/createAttestations.ts'
import type { KnownMonitors } from '../../uptime/knownMonitors.ts'
import type { Evidence } from '../../uptime/openEvidence.ts'
import type { SignatureCheck } from '../owner/createSignatureCheck.ts'
import type { WorkspaceKeys } from '../owner/createWorkspaceKeys.ts'
import type { Relays } from '../relay/createRelays.ts'
import { createAgentProof } from './agentProof.ts'
import { createGateway, type GatewayOptions } from './createGateway.ts'
import { createTerminal } from './createTerminal.ts'
import { createTickets } from './createTickets.ts'
import { createOwnerSessions } from './ownerSessions.ts'

/** Starts the gateway with all endpoints for visitors, the market and monitors. */
export async function startGateway(
  options: AgentContext & {
    manager: OrderManager
    relays: Pick<Relays, 'sites'>
    monitors: () => Promise<KnownMonitors>
    /** What the agent has attested to monitors. */
    evidence: Evidence
    /** Lets monitors measure this machine. */
    hardware: GatewayOptions['hardware']
    isSigned: SignatureCheck
    workspaceKeys: WorkspaceKeys
    terminalIdleMs: number
    orderOfDomain: (name: string) => bigint | undefined
    /** Called with the status of each response. */
    onAnswer: (status: number) => void
  },
) {
  const { config, account, state, runtime, manager, relays, monitors, evidence, hardware, isSigned, now, log } = options
  const { chainId, provider } = config
  const secret = state.fact('gatewaySecret') ?? randomBytes(32).toString('base64url')
  state.putFact('gatewaySecret', secret)
  return createGateway({
    config: config.gateway,
    chainId,
    localInstance: localInstanceOf(config),
    orderOfDomain: options.orderOfDomain,
    market: config.platforms[0] as string,
    secret,
    visit: manager.visit,
    orderOfSlot: manager.orderOfSlot,
    sessions: createOwnerSessions({ secret, isSigned, now }),
    tickets: createTickets({
      chainId,
      provider,
      isSigned,
      isRevoked: options.workspaceKeys.isRevoked,
      sites: relays.sites,
      now,
    }),
    terminal: createTerminal(runtime, { idleMs: options.terminalIdleMs, log }),
    attestations: createAttestations({
      account,
      chainId,
      provider,
      monitors,
      node: manager.node,
      evidence,
      now,
    }),
    hardware,
    onAnswer: options.onAnswer,
    proveAgent: createAgentProof({ account, chainId, provider }),
    log,
  })
}
