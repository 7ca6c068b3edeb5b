import { OWN_APP_DEPLOY_ID, parseAppText } from '@rackfair/core'
import type { Application, Preset } from '../presets/loadCatalog.ts'
import { ownApplication, ownEnvironment } from '../presets/ownApplication.ts'
import type { Command } from './openState.ts'

/** What a command wants to run: of the catalogue, or brought by the renter. Undefined for a clean, and for what is not known any more. */
export function applicationOf(presets: ReadonlyMap<number, Preset>, command: Command): Application | undefined {
  if (command.deployId !== OWN_APP_DEPLOY_ID) return presets.get(command.deployId)
  const spec = command.app === undefined ? undefined : parseAppText(command.app)
  return spec && ownApplication(spec, command.env)
}

/** The environment values beside those of the application itself. */
export function environmentOf(command: Command): Record<string, string> {
  const spec = command.app === undefined ? undefined : parseAppText(command.app)
  return spec ? ownEnvironment(spec, command.env) : command.env
}
