import { APP_LIMITS, type AppSpec } from './AppSpec.ts'
import { envBytes, fileSecrets, parseAppSpec, sortedByName, sortedFiles } from './parseAppSpec.ts'

/**
 * The canonical form of a specification: what is sent, and what `app` of a deploy text hashes. Fields are in a fixed order, unordered lists
 * are sorted, and absent fields are omitted.
 *
 * @example keccak256(toBytes(appText(spec)))
 */
export function appText({
  image,
  command,
  args,
  env,
  secrets,
  ports,
  volumes,
  files = {},
  user,
  workdir,
  registry,
  job,
  sandbox,
  sharedMemory,
}: AppSpec): string {
  return JSON.stringify({
    image,
    command,
    args,
    ...(Object.keys(env).length > 0 ? { env: sortedByName(env) } : {}),
    ...(secrets.length > 0 ? { secrets: [...secrets].sort() } : {}),
    ...(ports.length > 0 ? { ports: ports.map(({ protocol, port, ready, access }) => ({ protocol, port, ready, access })) } : {}),
    ...(volumes.length > 0 ? { volumes: [...volumes].sort() } : {}),
    ...(Object.keys(files).length > 0 ? { files: sortedFiles(files) } : {}),
    user,
    workdir,
    registry: registry && { username: registry.username, password: registry.password },
    job,
    sandbox,
    sharedMemory,
  })
}

/** Parses the text. `undefined` for anything but the exact form: otherwise the hash might cover something that the signer was not shown. */
export function parseAppText(text: string): AppSpec | undefined {
  if (text.length > APP_LIMITS.bytes) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { spec } = parseAppSpec(value)
  return spec && appText(spec) === text ? spec : undefined
}

/** The values that travel sealed beside the specification: its secrets, those of its files, and the password of its registry. */
export const secretNames = ({ secrets, files, registry }: AppSpec): string[] => [
  ...new Set([...secrets, ...fileSecrets(files), ...(registry ? [registry.password] : [])]),
]

/**
 * Why the values that travel beside a specification do not match it; undefined if they do. Every named value must be present, and no other.
 */
export function secretsProblem(spec: AppSpec, given: Readonly<Record<string, string>>): string | undefined {
  const wanted = secretNames(spec)
  const lacking = wanted.find((name) => !Object.hasOwn(given, name))
  if (lacking !== undefined) return `${lacking} has no value`
  const strange = Object.keys(given).find((name) => !wanted.includes(name))
  if (strange !== undefined) return `${strange.slice(0, 64)} is not asked for`
  return envBytes({ ...spec.env, ...given }) > APP_LIMITS.envBytes ? 'the values are larger than 32 KiB' : undefined
}
