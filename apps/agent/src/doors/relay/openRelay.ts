import type { KeyPairs } from '@rackfair/sealed'
import type { AgentContext } from '../../AgentContext.ts'
import { AGENT_VERSION } from '../../foundation/version.ts'
import type { Hardware } from '../../machine/detect/detectHardware.ts'
import type { OrderManager } from '../../orders/createOrderManager.ts'
import { createReadyApps } from '../../presets/createReadyApps.ts'
import type { Preset } from '../../presets/loadCatalog.ts'
import type { EngineRuntime } from '../../runtime/engine/createEngineRuntime.ts'
import { announceKeys } from '../workspace/encryptionKeys.ts'
import { announcedMachine } from './announcedMachine.ts'
import { createRelayClient } from './createRelayClient.ts'
import { takesOf } from './takesOf.ts'

/** The connection to the platform: what this machine reports to it, and what it may request. */
export function openRelay(
  options: AgentContext & {
    presets: ReadonlyMap<number, Preset>
    images: EngineRuntime['images'] | undefined
    hardware: Hardware
    encryptionKeys: KeyPairs
    manager: OrderManager
    /** Called for each accepted request. */
    onDeploy: () => void
    onDuplicate: () => void
  },
) {
  const { config, account, runtime, presets, images, hardware, encryptionKeys, manager, now, log } = options
  const readyApps = createReadyApps([...presets.values()], images?.isReady ?? runtime.hasImage)
  return createRelayClient({
    platformUrl: config.platformUrl,
    chainId: config.chainId,
    provider: config.provider,
    account,
    version: AGENT_VERSION,
    machine: async () => announcedMachine(config, hardware, takesOf(config, runtime, await readyApps())),
    async onDeploy(request) {
      const accepted = await manager.accept(request)
      options.onDeploy()
      return accepted
    },
    announcedKeys: () => announceKeys(encryptionKeys, { ...config, account, now: now() }),
    liveDeployments: manager.liveDeployments,
    onDuplicate: options.onDuplicate,
    log,
  })
}
