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
import { createRelays } from './createRelays.ts'
import { takesOf } from './takesOf.ts'

/** The connections to the platforms: what this machine reports to each, and what each may request. */
export function openRelays(
  options: AgentContext & {
    presets: ReadonlyMap<number, Preset>
    images: EngineRuntime['images'] | undefined
    hardware: Hardware
    encryptionKeys: KeyPairs
    manager: OrderManager
    /** Called for each accepted request, once. */
    onDeploy: () => void
    onDuplicate: () => void
  },
) {
  const { config, account, runtime, presets, images, hardware, encryptionKeys, manager, now, log } = options
  const readyApps = createReadyApps([...presets.values()], images?.isReady ?? runtime.hasImage)
  return createRelays({
    platforms: config.platforms,
    chainId: config.chainId,
    provider: config.provider,
    account,
    version: AGENT_VERSION,
    machine: async () => announcedMachine(config, hardware, takesOf(config, runtime, await readyApps())),
    async onDeploy(request, platform) {
      const { deployment, isNew } = await manager.accept(request, platform)
      if (isNew) options.onDeploy()
      return deployment
    },
    announcedKeys: () => announceKeys(encryptionKeys, { ...config, account, now: now() }),
    liveDeployments: manager.liveDeployments,
    onDuplicate: options.onDuplicate,
    log,
  })
}
