import { APP_LIMITS, type AppSpec } from '../AppSpec.ts'
import { appText } from '../appText.ts'
import { envBytes, fileSecrets, sortedByName, sortedFiles } from '../parseAppSpec.ts'
import { type Application, type AppService, ONLY_SERVICE } from './Application.ts'
import { parseApplication } from './parseApplication.ts'

/**
 * The canonical form of an application, which is sent and of which `app` of a deploy text is the hash. One container has the form that
 * `appText` gives it.
 */
export function applicationText(application: Application): string {
  const single = asSpec(application)
  if (single) return appText(single)
  const sorted = [...application.services].sort((a, b) => (a.name < b.name ? -1 : 1))
  return JSON.stringify({ services: Object.fromEntries(sorted.map((one) => [one.name, serviceForm(one)])) })
}

function serviceForm(service: AppService) {
  const { image, command, args, env, secrets, ports, volumes, files = {}, user, workdir, registry, sharedMemory } = service
  const { after, once, check, memory, aliases } = service
  const unlessEmpty = <Field extends string>(field: Field, values: Readonly<Record<string, string>>) =>
    Object.keys(values).length > 0 ? { [field]: sortedByName(values) } : {}
  return {
    ...{ image, command, args },
    ...unlessEmpty('env', env),
    ...unlessEmpty('secrets', secrets),
    ...(ports.length > 0 ? { ports: ports.map(({ protocol, port, ready, access }) => ({ protocol, port, ready, access })) } : {}),
    ...unlessEmpty('volumes', volumes),
    ...(Object.keys(files).length > 0 ? { files: sortedFiles(files) } : {}),
    ...{ user, workdir },
    registry: registry && { username: registry.username, password: registry.password },
    sharedMemory,
    ...unlessEmpty('after', after),
    once,
    check: check && { command: check.command, every: check.every, failures: check.failures },
    memory,
    ...(aliases.length > 0 ? { aliases: [...aliases].sort() } : {}),
  }
}

/** An application of one container that needs nothing but what such a specification can say; undefined for another. */
export function asSpec({ services, job, sandbox }: Application): AppSpec | undefined {
  const [service, second] = services
  if (!service || second || service.name !== ONLY_SERVICE) return undefined
  const { name: _, secrets, volumes, after, once, check, memory, aliases, ...rest } = service
  const isPlain = [secrets, volumes].every((one) => Object.entries(one).every(([key, value]) => key === value))
  if (!isPlain || Object.keys(after).length > 0 || once || check || memory !== undefined || aliases.length > 0) return undefined
  return {
    ...rest,
    secrets: Object.keys(secrets),
    volumes: Object.keys(volumes),
    ...(job ? { job } : {}),
    ...(sandbox ? { sandbox } : {}),
  }
}

/** Parses the text. `undefined` for anything but the exact form: otherwise the hash might cover something that the signer was not shown. */
export function parseApplicationText(text: string): Application | undefined {
  if (text.length > APP_LIMITS.bytes) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { application } = parseApplication(value)
  return application && applicationText(application) === text ? application : undefined
}

/** The values that travel sealed beside an application, each once: secrets and secret files of its services, and passwords of their registries. */
export const valueNames = ({ services }: Application): string[] =>
  [
    ...new Set(
      services.flatMap(({ secrets, files, registry }) => [
        ...Object.values(secrets),
        ...fileSecrets(files),
        ...(registry ? [registry.password] : []),
      ]),
    ),
  ].sort()

/** Why the values that travel beside an application do not match it; undefined if they do. */
export function valuesProblem(application: Application, given: Readonly<Record<string, string>>): string | undefined {
  const wanted = valueNames(application)
  const lacking = wanted.find((name) => !Object.hasOwn(given, name))
  if (lacking !== undefined) return `${lacking} has no value`
  const strange = Object.keys(given).find((name) => !wanted.includes(name))
  if (strange !== undefined) return `${strange.slice(0, 64)} is not asked for`
  const plain = application.services.reduce((sum, { env }) => sum + envBytes(env), 0)
  return plain + envBytes(given) > APP_LIMITS.envBytes ? 'the values are larger than 32 KiB' : undefined
}
