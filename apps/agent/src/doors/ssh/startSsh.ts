import { join } from 'node:path'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { AgentDb } from '../../db/openAgentDb.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import type { AgentTimes } from '../../foundation/times.ts'
import { createOwnerOf, type OwnerChain } from '../owner/createOwnerOf.ts'
import { createSignInLimit } from './createSignInLimit.ts'
import { createSshKeys } from './createSshKeys.ts'
import { createSshServer } from './createSshServer.ts'
import { announceHostKey, loadHostKey } from './hostKey.ts'
import type { Inside } from './Inside.ts'
import { createSshHandler, createSshKeysHandler } from './sshStreams.ts'

/** Failed sign-ins per order, network and minute, before a connection may offer fewer keys. */
const MAX_TRIES = 5
/** Between two sweeps of keys whose orders are over. */
const FORGET_MS = 3_600_000

export interface SshOptions {
  config: AgentConfig
  data: string
  account: PrivateKeyAccount
  state: AgentDb
  chain: OwnerChain
  inside: Inside
  times: Pick<AgentTimes, 'workspaceMs'>
  now: () => number
  log: Log
}

/** SSH to the orders of this agent: at a port of its own where the provider has one open, and through workspaces. */
export async function startSsh({ config, data, account, state, chain, inside, times, now, log }: SshOptions) {
  const hostKey = loadHostKey(join(data, 'ssh-host-key'))
  const keys = createSshKeys(state, now)
  const { sshPort, host, publicHost } = config.gateway
  const server = createSshServer({
    ...{ hostKey, keys, inside, log },
    ownerOf: createOwnerOf(config.provider, chain),
    limit: createSignInLimit({ tries: MAX_TRIES }),
    checkMs: times.workspaceMs,
    place: { host: publicHost, port: sshPort ?? 0 },
  })
  const port = sshPort
    ? await server.listen(sshPort, host).catch((error: unknown) => {
        // Renters still come in through their workspaces.
        log.error(`the SSH port ${sshPort} cannot be opened; another program may have it`, { reason: reasonOf(error) })
        return null
      })
    : null
  if (port !== null) log.info('SSH', { port, fingerprint: hostKey.fingerprint })
  const forgetting = setInterval(() => {
    server.forget().catch((error: unknown) => log.warn('SSH keys of orders that are over stay', { reason: reasonOf(error) }))
  }, FORGET_MS)
  forgetting.unref()
  const place = {
    host: publicHost,
    port,
    fingerprint: hostKey.fingerprint,
    hostKey: await announceHostKey(hostKey, { ...config, account }),
  }
  return {
    handler: createSshHandler(server),
    keysHandler: createSshKeysHandler({ keys, server, place }),
    /** A workspace key was revoked: what it registered goes with it. */
    revoke(orderId: bigint, key: string): void {
      keys.removeOf(orderId, key)
      server.endRemoved(orderId)
    },
    async close(): Promise<void> {
      clearInterval(forgetting)
      await server.close()
    },
  }
}
