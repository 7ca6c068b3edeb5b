import { stringify } from 'yaml'
import type { AppSpec } from '../AppSpec.ts'
import { sizeText } from './sizes.ts'

/** The specification as a file for a person to read, keep and share. Without the values of secrets. */
export function formatAppYaml({
  image,
  command,
  args,
  env,
  secrets,
  ports,
  volumes,
  files,
  user,
  workdir,
  registry,
  job,
  sandbox,
  sharedMemory,
}: AppSpec): string {
  // A field that is absent is not written.
  return stringify(
    {
      image,
      command,
      args,
      ...(Object.keys(env).length > 0 ? { env } : {}),
      ...(secrets.length > 0 ? { secrets } : {}),
      ...(ports.length > 0 ? { ports: ports.map(({ protocol, port, ...rest }) => ({ [protocol]: port, ...rest })) } : {}),
      ...(volumes.length > 0 ? { volumes } : {}),
      files,
      user,
      workdir,
      registry,
      job,
      sandbox,
      sharedMemory: sharedMemory && sizeText(sharedMemory),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  )
}
