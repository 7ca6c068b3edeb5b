import { MACHINES } from '@rackfair/protocol/workspaceText'
import type { KeyPairs } from '@rackfair/sealed'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { AgentDb } from '../db/openAgentDb.ts'
import type { Log } from '../foundation/log.ts'
import type { AgentTimes } from '../foundation/times.ts'
import { createOwnerAdmission } from './owner/createOwnerAdmission.ts'
import type { OwnerChain } from './owner/createOwnerOf.ts'
import type { SignatureCheck } from './owner/createSignatureCheck.ts'
import type { WorkspaceKeys } from './owner/createWorkspaceKeys.ts'
import type { Relays } from './relay/createRelays.ts'
import { insideByName } from './ssh/insideByName.ts'
import { startSsh } from './ssh/startSsh.ts'
import { createWorkspaceHandlers, type HandlersOptions } from './workspace/createHandlers.ts'
import { createStreamDesk } from './workspace/createStreamDesk.ts'
import { createWorkspaceServer } from './workspace/createWorkspaceServer.ts'

export interface WorkspacesOptions extends Omit<HandlersOptions, 'ssh'> {
  config: AgentConfig
  data: string
  account: PrivateKeyAccount
  state: AgentDb
  chain: OwnerChain
  /** What others seal to. */
  encryptionKeys: KeyPairs
  keys: WorkspaceKeys
  isSigned: SignatureCheck
  relays: Pick<Relays, 'sites' | 'serve'>
  times: AgentTimes
  now: () => number
  log: Log
}

/** Everything that renters reach of their orders beside the applications' pages: sealed workspaces through the platforms, and SSH. */
export async function startWorkspaces(options: WorkspacesOptions) {
  const { config, chain, keys, isSigned, relays, times, now, log } = options
  const { chainId, provider } = config
  const ssh = await startSsh({ ...options, inside: insideByName(options.runtime, options.serviceOf) })
  const streams = createWorkspaceHandlers({ ...options, ssh: ssh.handler })
  const server = createWorkspaceServer({
    ...{ chainId, provider, keys: options.encryptionKeys, checkMs: times.workspaceMs, log },
    admission: createOwnerAdmission({ chainId, provider, chain, isSigned, keys, sites: relays.sites, now }),
    // What its own renters do on an order is none of the provider's business, and what a machine does none of a renter's.
    desk: createStreamDesk((orderId) => (orderId === MACHINES ? streams.ofProvider : streams.handlers), log),
    ownKinds: (admitted) => (admitted.orderId === MACHINES ? {} : { sshKeys: ssh.keysHandler(admitted) }),
    onRevoked: ssh.revoke,
  })
  relays.serve(server.join)
  return {
    server,
    /** After the server has stopped. */
    async close(): Promise<void> {
      streams.close()
      await ssh.close()
    },
  }
}
