import { APP_LIMITS, type AppProblem, type AppProblemCode } from '../AppSpec.ts'
import {
  bytesOf,
  envBytes,
  fileBytes,
  fileSecrets,
  isRecord,
  isValueName,
  normalPath,
  parseAppSpec,
  readWords,
  sortedByName,
} from '../parseAppSpec.ts'
import {
  type Application,
  type AppService,
  asApplication,
  type Check,
  CONDITIONS,
  type Condition,
  SERVICE_LIMITS,
  startOrder,
} from './Application.ts'

export interface ApplicationReading {
  /** Present only without problems. */
  application?: Application
  problems: AppProblem[]
}

/** What a service has as an application of one container has it. */
const PLAIN_FIELDS = ['image', 'command', 'args', 'env', 'ports', 'files', 'user', 'workdir', 'registry', 'sharedMemory']
const SERVICE_FIELDS = [...PLAIN_FIELDS, 'secrets', 'volumes', 'after', 'once', 'check', 'memory', 'aliases']
const CHECK_FIELDS = ['command', 'every', 'failures']
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,30}$/
/** As compose files call services and containers. */
const ALIAS = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/
const VOLUME_NAME = /^[a-z0-9][a-z0-9_.-]{0,62}$/
const TAKEN = /^localhost$|^\d+(?:\.\d+)*$/i

type Refuse = (field: string, code: AppProblemCode) => undefined

/**
 * Parses an application of one container or of several, as strictly as `parseAppSpec`.
 *
 * @example parseApplication({ services: { web: { image: 'nginx' } } }).application?.services[0]?.name // 'web'
 */
export function parseApplication(value: unknown): ApplicationReading {
  if (!isRecord(value) || !Object.hasOwn(value, 'services')) {
    const { spec, problems } = parseAppSpec(value)
    return spec ? { application: asApplication(spec), problems } : { problems }
  }
  const problems: AppProblem[] = []
  const refuse: Refuse = (field, code) => void problems.push({ field, code })
  for (const field of Object.keys(value)) if (field !== 'services') refuse(field, 'unsupported')
  if (!isRecord(value.services)) return { problems: [...problems, { field: 'services', code: 'invalid' }] }
  const given = Object.entries(value.services)
  if (given.length === 0) refuse('services', 'missing')
  if (given.length > SERVICE_LIMITS.services) return { problems: [...problems, { field: 'services', code: 'too_many' }] }
  const services = given
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, one]) => readService(name, one, (field, code) => refuse(`services.${name}${field}`, code)) ?? [])
  if (problems.length === 0) checkTogether(services, refuse)
  if (problems.length > 0) return { problems }
  const application: Application = { services }
  return bytesOf(JSON.stringify(application)) > APP_LIMITS.bytes
    ? { problems: [{ field: '', code: 'too_large' }] }
    : { application, problems }
}

/** `refuse` takes fields that begin with a dot. */
function readService(name: string, value: unknown, refuse: Refuse): AppService | undefined {
  if (!SERVICE_NAME.test(name) || TAKEN.test(name)) return refuse('', 'invalid')
  if (!isRecord(value)) return refuse('', 'invalid')
  for (const field of Object.keys(value)) if (!SERVICE_FIELDS.includes(field)) refuse(`.${field}`, 'unsupported')
  const secrets = readSecrets(value.secrets ?? {}, refuse)
  const volumes = isRecord(value.volumes ?? {}) ? Object.entries(value.volumes ?? {}) : refuse('.volumes', 'invalid')
  const plain = Object.fromEntries(PLAIN_FIELDS.flatMap((field) => (value[field] === undefined ? [] : [[field, value[field]]])))
  const { spec, problems } = parseAppSpec({
    ...plain,
    secrets: Object.keys(secrets ?? {}),
    volumes: (volumes ?? []).map(([path]) => path),
  })
  for (const { field, code } of problems) refuse(`.${field}`, code)
  for (const [path, volume] of volumes ?? [])
    if (typeof volume !== 'string' || !VOLUME_NAME.test(volume)) refuse(`.volumes.${path}`, 'invalid')
  const after = readAfter(value.after ?? {}, refuse)
  if (value.once !== undefined && value.once !== true) refuse('.once', 'invalid')
  const check = value.check === undefined ? undefined : readCheck(value.check, refuse)
  const memory = value.memory === undefined ? undefined : readWhole(value.memory, SERVICE_LIMITS.memory)
  if (value.memory !== undefined && memory === undefined) refuse('.memory', 'invalid')
  const aliases = readAliases(value.aliases ?? [], refuse)
  if (!spec || !volumes) return undefined
  const { secrets: _, volumes: paths, job: __, sandbox: ___, ...rest } = spec
  // Paths are normalised, in the order in which they sort.
  const names = new Map(volumes.map(([path, volume]) => [normalPath(path), String(volume)]))
  if (paths.some((path) => !names.has(path))) refuse('.volumes', 'invalid')
  return {
    ...rest,
    name,
    secrets: secrets ?? {},
    volumes: Object.fromEntries(paths.map((path) => [path, names.get(path) ?? ''])),
    after,
    ...(value.once === true ? { once: true } : {}),
    ...(check ? { check } : {}),
    ...(memory === undefined ? {} : { memory }),
    aliases,
  }
}

/** A list names variables whose values are called like them. */
function readSecrets(value: unknown, refuse: Refuse): Record<string, string> | undefined {
  const entries = Array.isArray(value) ? value.map((name: unknown) => [String(name), name] as const) : undefined
  if (!entries && !isRecord(value)) return refuse('.secrets', 'invalid')
  const all: (readonly [string, unknown])[] = entries ?? Object.entries(value as Record<string, unknown>)
  for (const [variable, name] of all)
    if (typeof name !== 'string' || !isValueName(name)) refuse(`.secrets.${variable.slice(0, 64)}`, 'invalid')
  if (new Set(all.map(([variable]) => variable)).size < all.length) refuse('.secrets', 'duplicate')
  return sortedByName(Object.fromEntries(all.map(([variable, name]) => [variable, String(name)])))
}

function readAfter(value: unknown, refuse: Refuse): Record<string, Condition> {
  if (!isRecord(value)) {
    refuse('.after', 'invalid')
    return {}
  }
  const entries = Object.entries(value).flatMap(([name, one]): [string, Condition][] => {
    const condition = CONDITIONS.find((known) => known === one)
    if (condition) return [[name, condition]]
    return refuse(`.after.${name}`, 'invalid') ?? []
  })
  return sortedByName(Object.fromEntries(entries)) as Record<string, Condition>
}

function readCheck(value: unknown, refuse: Refuse): Check | undefined {
  if (!isRecord(value)) return refuse('.check', 'invalid')
  for (const field of Object.keys(value)) if (!CHECK_FIELDS.includes(field)) refuse(`.check.${field}`, 'unsupported')
  const command = readWords('.check.command', value.command ?? [], refuse)
  if (command?.length === 0) refuse('.check.command', 'missing')
  const { checkSeconds, checkFailures } = SERVICE_LIMITS
  const every = readWhole(value.every ?? checkSeconds.usual, checkSeconds)
  const failures = readWhole(value.failures ?? checkFailures.usual, checkFailures)
  if (every === undefined) refuse('.check.every', 'invalid')
  if (failures === undefined) refuse('.check.failures', 'invalid')
  return command && every !== undefined && failures !== undefined ? { command, every, failures } : undefined
}

function readAliases(value: unknown, refuse: Refuse): string[] {
  if (!Array.isArray(value)) {
    refuse('.aliases', 'invalid')
    return []
  }
  if (value.length > SERVICE_LIMITS.aliases) refuse('.aliases', 'too_many')
  value.forEach((alias: unknown, index) => {
    if (typeof alias !== 'string' || !ALIAS.test(alias) || TAKEN.test(alias)) refuse(`.aliases.${index}`, 'invalid')
  })
  return [...new Set(value.filter((one) => typeof one === 'string'))].sort()
}

const readWhole = (value: unknown, { least, most }: { least: number; most: number }): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined

/** What holds of all services together. */
function checkTogether(services: readonly AppService[], refuse: Refuse): void {
  const ports = services.flatMap((one) => one.ports)
  if (ports.length > SERVICE_LIMITS.ports) refuse('services', 'too_many')
  const pages = services.filter((one) => one.ports.some(({ protocol }) => protocol === 'http'))
  for (const { name } of pages.slice(1)) refuse(`services.${name}.ports`, 'too_many')
  if (services.reduce((sum, { volumes }) => sum + Object.keys(volumes).length, 0) > SERVICE_LIMITS.volumes)
    refuse('services', 'too_many')
  if (services.reduce((sum, { env }) => sum + envBytes(env), 0) > APP_LIMITS.envBytes) refuse('services', 'too_large')

  if (services.reduce((sum, { files = {} }) => sum + Object.keys(files).length, 0) > APP_LIMITS.files)
    refuse('services', 'too_many')
  if (services.reduce((sum, { files }) => sum + fileBytes(files), 0) > APP_LIMITS.fileBytes) refuse('services', 'too_large')

  // Nothing would be left of an order whose services have all ended.
  if (services.every(({ once }) => once)) refuse(`services.${services[0]?.name}.once`, 'invalid')

  const called = new Map<string, string>()
  for (const { name } of services) called.set(name, name)
  for (const { name, aliases } of services)
    for (const alias of aliases) {
      const owner = called.get(alias.toLowerCase())
      if (owner !== undefined && owner !== name) refuse(`services.${name}.aliases`, 'duplicate')
      called.set(alias.toLowerCase(), name)
    }

  // The account of a registry is not given to a program.
  const passwords = new Set(services.flatMap(({ registry }) => registry?.password ?? []))
  for (const { name, secrets, files } of services) {
    for (const [variable, value] of Object.entries(secrets))
      if (passwords.has(value)) refuse(`services.${name}.secrets.${variable}`, 'duplicate')
    if (fileSecrets(files).some((value) => passwords.has(value))) refuse(`services.${name}.files`, 'duplicate')
  }

  const byName = new Map(services.map((one) => [one.name, one]))
  for (const { name, after } of services)
    for (const [other, condition] of Object.entries(after)) {
      const field = `services.${name}.after.${other}`
      const target = byName.get(other)
      if (!target) refuse(field, 'missing')
      else if (condition === 'done' && !target.once) refuse(field, 'invalid')
    }
  if (startOrder(services) === undefined) refuse('services', 'circular')
}
