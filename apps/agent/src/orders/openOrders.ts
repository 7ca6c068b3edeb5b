import type { KeyPairs } from '@rackfair/sealed'
import type { AgentContext } from '../AgentContext.ts'
import { createRenewals } from '../chain/read/renewals.ts'
import { createOutbox } from '../chain/transactions/outbox.ts'
import { hasOwnOrigins } from '../config/agentConfig.ts'
import { localInstanceOf, localName } from '../config/localNames.ts'
import { createTokenBuckets } from '../foundation/buckets.ts'
import type { Hardware } from '../machine/detect/detectHardware.ts'
import type { UsageRing } from '../machine/usage/usageRing.ts'
import { createPortForwards } from '../runtime/createPortForwards.ts'
import { createPromises } from '../uptime/createPromises.ts'
import type { KnownMonitors } from '../uptime/knownMonitors.ts'
import { createOrderManager } from './createOrderManager.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import { visitLinkOf } from './visitLinkOf.ts'

/** The orders of this machine, with the outbox that records them on chain and the forwards that open their ports. */
export function openOrders(
  options: AgentContext &
    Pick<OrderManagerOptions, 'presets' | 'gpus' | 'notes' | 'onStatus'> & {
      hardware: Hardware
      monitors: () => Promise<KnownMonitors>
      encryptionKeys: KeyPairs
      usageRing: UsageRing
    },
) {
  const { config, state, chain, account, runtime, presets, monitors, usageRing, notes, times, now, log } = options
  const { chainId, provider } = config
  const local = config.gateway.domain ? undefined : localInstanceOf(config)
  const outbox = createOutbox({
    db: state.db,
    chain,
    provider,
    account,
    log,
    times,
    onDone: (call) => manager.refresh(call.orderId, 'nodeId' in call ? call.nodeId : undefined),
  })
  const forwards = createPortForwards({
    range: config.gateway.appPorts,
    host: config.gateway.host,
    addressOf: (orderId, service) => manager.addressOf(orderId, service),
    log,
  })
  const manager = createOrderManager({
    state,
    chain,
    renewals: createRenewals(chain, config.purses),
    runtime,
    forwards,
    outbox,
    presets,
    verify: {
      chain,
      provider,
      state,
      presets,
      ownOrigins: hasOwnOrigins(config.gateway),
      ownImages: config.ownImages,
      appPorts: Boolean(config.gateway.appPorts),
      whyNoGvisor: runtime.whyNoGvisor,
      whyNoServices: runtime.whyNoServices,
      sharesPorts: runtime.sharesPorts,
      keys: options.encryptionKeys,
      perOrder: createTokenBuckets({ burst: 5, refillMs: 3000 }),
      overall: createTokenBuckets({ burst: 50, refillMs: 100 }),
      now,
    },
    visitUrl: (orderId, user) => visitLinkOf(config.gateway, orderId, user),
    localName: (orderId) => (local === undefined ? undefined : localName(orderId, local)),
    wipeAfterSeconds: config.wipeAfterSeconds,
    promise: createPromises({ account, chainId, monitors }),
    ...{ machine: options.hardware, oversell: config.oversell, gpus: options.gpus },
    notes: {
      add: notes.add,
      remove(orderId) {
        notes.remove(orderId)
        usageRing.remove(orderId)
      },
    },
    onStatus: options.onStatus,
    log,
    times,
  })
  return { manager, outbox, forwards }
}
