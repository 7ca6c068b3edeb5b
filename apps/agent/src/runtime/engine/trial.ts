import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { runCommand } from '../../foundation/runCommand.ts'
import { holdFolder, sweepFolders } from '../heldFolder.ts'
import { newInstance, tableName } from './names.ts'
import { removeBridges } from './orderBridge.ts'
import { passNoTenants } from './passTenants.ts'
import { podmanPaths } from './podmanService.ts'
import { removeEngine } from './removeEngine.ts'

const NAMES = ['rackfair-doctor-', 'rackfair-gpus-', 'rackfair-self-test-'] as const

export interface Trial {
  folder: string
  instance: string
  /** Removes the folders, once the engine is closed. */
  end(say: (line: string) => void): Promise<void>
}

/** A folder and an instance for an engine that this process needs for a while, after removing what killed ones left. */
export async function beginTrial(name: (typeof NAMES)[number]): Promise<Trial> {
  await sweepFolders(tmpdir(), NAMES, sweepTrial)
  const held = holdFolder(tmpdir(), name, newInstance())
  const instance = held.path.slice(-6)
  return {
    folder: held.path,
    instance,
    async end(say) {
      await removeEngine(held.path, podmanPaths('', instance).run).catch((error: Error) =>
        say(`${held.path} is left behind: ${error.message}`),
      )
    },
  }
}

/** The engine and its containers ended with their process; what belongs to the machine's network did not. */
async function sweepTrial(path: string, instance: string): Promise<void> {
  if (existsSync(podmanPaths('', instance).run)) {
    await runCommand('nft', ['delete', 'table', 'inet', tableName(instance)])
    await passNoTenants(instance)
    await removeBridges(instance)
  }
  await removeEngine(path, podmanPaths('', instance).run)
}
