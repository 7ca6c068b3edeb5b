import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { mainService } from '@rackfair/app-spec/services/Application'
import { parseApplicationText } from '@rackfair/app-spec/services/applicationText'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Command } from '../db/openAgentDb.ts'
import type { Application, Preset } from '../presets/loadCatalog.ts'
import { ownApplication, ownEnvironment } from '../presets/ownApplication.ts'

/** The application of a command: from the catalogue, or the renter's own. Undefined for a clean, or if the preset no longer exists. */
export function applicationOf(presets: ReadonlyMap<number, Preset>, command: Command): Application | undefined {
  if (command.deployId !== OWN_APP_DEPLOY_ID) return presets.get(command.deployId)
  const spec = command.app === undefined ? undefined : parseApplicationText(command.app)
  return spec && ownApplication(spec, command.env ?? {})
}

/**
 * The environment values that override those of the application itself; of several services, those of the main one.
 * @throws AppError `secrets_unreadable` if the key they were encrypted with is lost.
 */
export function environmentOf({ app, env }: Command): Record<string, string> {
  if (env === undefined)
    throw new AppError('secrets_unreadable', 'the agent has lost the key of its secret values; deploy the application again')
  const spec = app === undefined ? undefined : parseApplicationText(app)
  return spec ? ownEnvironment(mainService(spec), env) : env
}
