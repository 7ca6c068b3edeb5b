import { APP_LIMITS, type AppSpec } from './AppSpec.ts'
import { envBytes, parseAppSpec } from './parseAppSpec.ts'

/**
 * The one way to write a specification: what travels, and what `app` of a deploy text hashes. The fields stand in a fixed order, lists that
 * have none are sorted, and what is not given is left out.
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
  user,
  workdir,
  registry,
  job,
  sandbox,
}: AppSpec): string {
  return JSON.stringify({
    image,
    command,
    args,
    ...(Object.keys(env).length > 0 ? { env: Object.fromEntries(Object.entries(env).sort(byName)) } : {}),
    ...(secrets.length > 0 ? { secrets: [...secrets].sort() } : {}),
    ...(ports.length > 0 ? { ports: ports.map(({ protocol, port, ready, access }) => ({ protocol, port, ready, access })) } : {}),
    ...(volumes.length > 0 ? { volumes: [...volumes].sort() } : {}),
    user,
    workdir,
    registry: registry && { username: registry.username, password: registry.password },
    job,
    sandbox,
  })
}

/** Reads the text back. `undefined` for anything but the exact form: then its hash stands for nothing that was shown to the signer. */
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

/** What of an application travels sealed beside its specification: its secrets, and the password of its registry. */
export const secretNames = ({ secrets, registry }: AppSpec): string[] => [...secrets, ...(registry ? [registry.password] : [])]

/**
 * Why the values that travel beside a specification are not those that it asks for; undefined when they are. Each named value must be
 * there, and no other.
 */
export function secretsProblem(spec: AppSpec, given: Readonly<Record<string, string>>): string | undefined {
  const wanted = secretNames(spec)
  const lacking = wanted.find((name) => !Object.hasOwn(given, name))
  if (lacking !== undefined) return `${lacking} has no value`
  const strange = Object.keys(given).find((name) => !wanted.includes(name))
  if (strange !== undefined) return `${strange.slice(0, 64)} is not asked for`
  return envBytes({ ...spec.env, ...given }) > APP_LIMITS.envBytes ? 'the values are larger than 32 KiB' : undefined
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : a > b ? 1 : 0)
