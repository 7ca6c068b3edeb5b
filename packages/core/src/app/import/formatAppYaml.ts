import { stringify } from 'yaml'
import type { AppSpec } from '../AppSpec.ts'

/** The specification as a file that a person reads, keeps and shares. Values of secrets are not in it. */
export function formatAppYaml({
  image,
  command,
  args,
  env,
  secrets,
  ports,
  volumes,
  user,
  workdir,
  registry,
  job,
  sandbox,
}: AppSpec): string {
  return stringify(
    {
      image,
      ...(command ? { command } : {}),
      ...(args ? { args } : {}),
      ...(Object.keys(env).length > 0 ? { env } : {}),
      ...(secrets.length > 0 ? { secrets } : {}),
      ...(ports.length > 0 ? { ports: ports.map(({ protocol, port, ...rest }) => ({ [protocol]: port, ...rest })) } : {}),
      ...(volumes.length > 0 ? { volumes } : {}),
      ...(user === undefined ? {} : { user }),
      ...(workdir === undefined ? {} : { workdir }),
      ...(registry ? { registry } : {}),
      ...(job ? { job } : {}),
      ...(sandbox ? { sandbox } : {}),
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  )
}
