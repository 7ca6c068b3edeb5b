import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { AgentContext } from '../AgentContext.ts'
import { createHardwareTests } from '../hardware/createHardwareTests.ts'
import { openHardwareRecords } from '../hardware/openHardwareRecords.ts'
import { startMeasuring } from '../hardware/startMeasuring.ts'
import type { OrderManager } from '../orders/createOrderManager.ts'
import type { RelayClient } from '../relay/createRelayClient.ts'
import { createAttestations } from '../uptime/createAttestations.ts'
import type { KnownMonitors } from '../uptime/knownMonitors.ts'
import { openEvidence } from '../uptime/openEvidence.ts'
import type { WorkspaceKeys } from '../workspace/createWorkspaceKeys.ts'
import { createAgentProof } from './agentProof.ts'
import { createGateway } from './createGateway.ts'
import type { SignatureCheck } from './createSignatureCheck.ts'
import { createTerminal } from './createTerminal.ts'
import { createTickets } from './createTickets.ts'
import { createOwnerSessions } from './ownerSessions.ts'

/** Starts the gateway with all endpoints for visitors, the market and monitors. */
export async function startGateway(
  options: AgentContext & {
    manager: OrderManager
    relay: Pick<RelayClient, 'sites'>
    monitors: () => Promise<KnownMonitors>
    isSigned: SignatureCheck
    workspaceKeys: WorkspaceKeys
    terminalIdleMs: number
    /** Called with the status of each response. */
    onAnswer: (status: number) => void
  },
) {
  const { config, data, account, state, runtime, manager, relay, monitors, isSigned, now, log } = options
  const { chainId, provider } = config
  const { tls } = config.gateway
  const secret = state.fact('gatewaySecret') ?? randomBytes(32).toString('base64url')
  state.putFact('gatewaySecret', secret)
  const evidence = openEvidence(join(data, 'evidence.sqlite'))
  const records = openHardwareRecords(join(data, 'hardware.sqlite'))
  const hardwareTests = createHardwareTests({
    ...{ account, chainId, provider, monitors, node: manager.node, records, log, now, tls },
    measure: (job) => startMeasuring(job),
    // Simulated memory counts as never free, so that no test ever verifies it.
    freeBytes: () => (config.sampleHardware ? 0 : process.availableMemory()),
    fileOf: (nodeId) => join(data, `hardware-${nodeId}.rows`),
  })
  const gateway = await createGateway({
    config: config.gateway,
    chainId,
    market: config.platformUrl,
    secret,
    visit: manager.visit,
    orderOfSlot: manager.orderOfSlot,
    sessions: createOwnerSessions({ secret, isSigned, now }),
    tickets: createTickets({
      chainId,
      provider,
      isSigned,
      isRevoked: options.workspaceKeys.isRevoked,
      sites: relay.sites,
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
      tls,
    }),
    hardware: hardwareTests,
    onAnswer: options.onAnswer,
    proveAgent: createAgentProof({ account, chainId, provider, tls }),
    log,
  })

  return {
    ...gateway,
    evidence,
    hardwareTests,
    /** Call once nothing is being measured or attested. */
    closeRecords(): void {
      hardwareTests.stop()
      records.close()
      evidence.close()
    },
  }
}
