import { AppError, OWN_APP_DEPLOY_ID, parseAppText } from '@rackfair/core'
import type { Application, Preset } from '../presets/loadCatalog.ts'
import { ownApplication, ownEnvironment } from '../presets/ownApplication.ts'
import type { Command } from './openAgentDb.ts'

/** What a command wants to run: of the catalogue, or brought by the renter. Undefined for a clean, and for what is not known any more. */
export function applicationOf(presets: ReadonlyMap<number, Preset>, command: Command): Application | undefined {
  if (command.deployId !== OWN_APP_DEPLOY_ID) return presets.get(command.deployId)
  const spec = command.app === undefined ? undefined : parseAppText(command.app)
  return spec && ownApplication(spec, command.env ?? {})
}

/**
 * The environment values beside those of the application itself.
 * @throws AppError `secrets_unreadable` where the key that they were kept under is lost.
 */
export function environmentOf({ app, env }: Command): Record<string, string> {
  if (env === undefined)
    throw new AppError('secrets_unreadable', 'the agent has lost the key of its secret values; deploy the application again')
  const spec = app === undefined ? undefined : parseAppText(app)
  return spec ? ownEnvironment(spec, env) : env
}
