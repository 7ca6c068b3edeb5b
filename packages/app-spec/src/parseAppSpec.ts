import {
  APP_LIMITS,
  type AppFile,
  type AppPort,
  type AppProblem,
  type AppProblemCode,
  type AppSpec,
  JOB_ENDS,
} from './AppSpec.ts'
import { formatImage, parseImage } from './imageReference.ts'
import { isPlainText } from './plainText.ts'

export interface AppReading {
  /** Present only without problems. */
  spec?: AppSpec
  problems: AppProblem[]
}

const FIELDS = [
  ...['image', 'command', 'args', 'env', 'secrets', 'ports', 'volumes', 'files', 'user', 'workdir', 'registry'],
  ...['job', 'sandbox', 'sharedMemory'],
]
const PORT_FIELDS = ['protocol', 'port', 'ready', 'access']
/** As containers take the name of a variable: whatever can be printed, but no `=`. */
const NAME = /^(?! )[\x20-\x3c\x3e-\x7e]{1,128}(?<! )$/
/** Whether a value that travels beside the specification can be called so. */
export const isValueName = (name: string): boolean => NAME.test(name)
/** A colon separates paths where engines are told of them. */
const PATH = /^\/[^:\p{Cc}\p{Cs}]{0,200}$/u
const USER = /^(?:[a-z_][a-z0-9_-]{0,31}|\d{1,5})(?::(?:[a-z_][a-z0-9_-]{0,31}|\d{1,5}))?$/
const READY = /^\/[\w./~%?=&-]{0,200}$/
/** Whether a page can be asked for a path to find out that it is ready. */
export const isReadyPath = (path: string): boolean => READY.test(path)
const ACCOUNT = /^[\x21-\x39\x3b-\x7e]{1,200}$/
/** The engine's own mounts: by mounting over them an application would remove its own masks, or its way to find names. */
const RESERVED = ['/proc', '/sys', '/dev', '/.rackfair', '/etc/hosts', '/etc/hostname', '/etc/resolv.conf', '/run/.containerenv']
/** Folders that hold one of these. */
const RESERVED_ALONE = ['/', '/etc', '/run']

/** Whether a volume may not be at a path inside: a normalised one, without links on its way. */
export const isReservedPath = (path: string): boolean =>
  RESERVED_ALONE.includes(path) || RESERVED.some((reserved) => path === reserved || path.startsWith(`${reserved}/`))

/** A path as the kernel goes it: one slash at a time, without `.` and `..`. */
export function normalPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/**
 * Parses a specification strictly: unknown, malformed or oversized parts are reported, nothing is dropped.
 *
 * @example parseAppSpec({ image: 'redis' }).spec?.image // 'docker.io/library/redis:latest'
 */
export function parseAppSpec(value: unknown): AppReading {
  const problems: AppProblem[] = []
  const refuse = (field: string, code: AppProblemCode): undefined => {
    problems.push({ field, code })
    return undefined
  }
  if (!isRecord(value)) return { problems: [{ field: '', code: 'invalid' }] }
  for (const field of Object.keys(value)) if (!FIELDS.includes(field)) refuse(field, 'unsupported')

  const image = typeof value.image === 'string' ? parseImage(value.image) : undefined
  if (!image) refuse('image', value.image === undefined || value.image === '' ? 'missing' : 'invalid')
  const words = readStart(readWords('command', value.command, refuse), readWords('args', value.args, refuse), refuse)
  const env = readEnv(value.env ?? {}, refuse)
  const registry = value.registry === undefined ? undefined : readRegistry(value.registry, refuse)
  const secrets = readSecrets(value.secrets ?? [], env, registry?.password, refuse)
  const ports = readPorts(value.ports ?? [], refuse)
  const volumes = readVolumes(value.volumes ?? [], refuse)
  const files = readFiles(value.files ?? {}, { volumes, password: registry?.password }, refuse)
  const user = readText('user', value.user, (text) => USER.test(text) && hasIds(text), refuse)
  const workdir = readText('workdir', value.workdir, (text) => PATH.test(text), refuse)
  const job = JOB_ENDS.find((one) => one === value.job)
  if (value.job !== undefined && job === undefined) refuse('job', 'invalid')
  const sandbox = value.sandbox === 'gvisor' ? value.sandbox : undefined
  if (value.sandbox !== undefined && !sandbox) refuse('sandbox', 'invalid')
  const sharedMemory = value.sharedMemory === undefined ? undefined : readSharedMemory(value.sharedMemory, refuse)
  if (problems.length > 0 || !image) return { problems }

  const spec: AppSpec = {
    image: formatImage(image),
    ...words,
    env,
    secrets,
    ports,
    volumes,
    ...(Object.keys(files).length > 0 ? { files } : {}),
    ...(user === undefined ? {} : { user }),
    ...(workdir === undefined ? {} : { workdir: normalPath(workdir) }),
    ...(registry ? { registry } : {}),
    ...(job ? { job } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(sharedMemory === undefined ? {} : { sharedMemory }),
  }
  return bytesOf(JSON.stringify(spec)) > APP_LIMITS.bytes ? { problems: [{ field: '', code: 'too_large' }] } : { spec, problems }
}

type Refuse = (field: string, code: AppProblemCode) => undefined

export function readWords(field: string, value: unknown, refuse: Refuse): string[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) return refuse(field, 'invalid')
  if (value.length > APP_LIMITS.words) return refuse(field, 'too_many')
  value.forEach((word, index) => {
    if (typeof word !== 'string' || !isPlainText(word)) refuse(`${field}.${index}`, 'invalid')
    else if (word.length > APP_LIMITS.wordLength) refuse(`${field}.${index}`, 'too_large')
  })
  return [...(value as string[])]
}

/**
 * What an empty list means to Docker: without an entry point the arguments are the command, and the image's own command is gone with it.
 * Empty arguments behind a command are none.
 */
function readStart(command: string[] | undefined, args: string[] | undefined, refuse: Refuse): Pick<AppSpec, 'command' | 'args'> {
  if (!command) return args ? { args } : {}
  if (command.length > 0) return { command, ...(args && args.length > 0 ? { args } : {}) }
  if (args && args.length > 0) return { command: args }
  refuse('command', 'no_command')
  return {}
}

/** `String` of an untrusted object can throw. */
const isText = (value: unknown): value is string => typeof value === 'string'

function readEnv(value: unknown, refuse: Refuse): Record<string, string> {
  if (!isRecord(value)) {
    refuse('env', 'invalid')
    return {}
  }
  const entries = Object.entries(value)
  if (entries.length > APP_LIMITS.envValues) refuse('env', 'too_many')
  for (const [name, text] of entries) {
    if (!NAME.test(name) || typeof text !== 'string' || !isPlainText(text)) refuse(`env.${name}`, 'invalid')
  }
  const plain = sortedByName(Object.fromEntries(entries.filter((entry): entry is [string, string] => isText(entry[1]))))
  if (envBytes(plain) > APP_LIMITS.envBytes) refuse('env', 'too_large')
  return plain
}

function readSecrets(
  value: unknown,
  env: Readonly<Record<string, string>>,
  password: string | undefined,
  refuse: Refuse,
): string[] {
  if (!Array.isArray(value)) {
    refuse('secrets', 'invalid')
    return []
  }
  if (value.length > 0 && value.length + Object.keys(env).length > APP_LIMITS.envValues) refuse('secrets', 'too_many')
  const seen = new Set<string>(password === undefined ? [] : [password])
  for (const [index, name] of value.entries()) {
    if (typeof name !== 'string' || !NAME.test(name)) refuse(`secrets.${index}`, 'invalid')
    else if (seen.has(name) || Object.hasOwn(env, name)) refuse(`secrets.${index}`, 'duplicate')
    else seen.add(name)
  }
  return value.filter(isText).sort()
}

function readPorts(value: unknown, refuse: Refuse): AppPort[] {
  if (!Array.isArray(value)) {
    refuse('ports', 'invalid')
    return []
  }
  if (value.length > APP_LIMITS.ports) refuse('ports', 'too_many')
  const seen = new Set<string>()
  const ports = value.flatMap((one: unknown, index): AppPort[] => {
    const field = `ports.${index}`
    if (!isRecord(one)) return refuse(field, 'invalid') ?? []
    for (const name of Object.keys(one)) if (!PORT_FIELDS.includes(name)) refuse(`${field}.${name}`, 'unsupported')
    const { protocol, port, ready, access } = one
    if (protocol !== 'http' && protocol !== 'tcp' && protocol !== 'udp') return refuse(`${field}.protocol`, 'invalid') ?? []
    if (!Number.isInteger(port) || Number(port) < 1 || Number(port) > 65_535) return refuse(`${field}.port`, 'invalid') ?? []
    if (ready !== undefined && (protocol !== 'http' || typeof ready !== 'string' || !READY.test(ready)))
      refuse(`${field}.ready`, 'invalid')
    if (access !== undefined && (protocol !== 'http' || access !== 'owner')) refuse(`${field}.access`, 'invalid')
    const key = `${protocol === 'udp' ? 'udp' : 'tcp'} ${port}`
    if (seen.has(key)) refuse(field, 'duplicate')
    seen.add(key)
    return [
      {
        protocol,
        port: Number(port),
        ...(typeof ready === 'string' ? { ready } : {}),
        ...(access === 'owner' ? { access } : {}),
      },
    ]
  })
  if (ports.filter(({ protocol }) => protocol === 'http').length > 1) refuse('ports', 'too_many')
  return ports.sort((a, b) => a.protocol.localeCompare(b.protocol) || a.port - b.port)
}

function readVolumes(value: unknown, refuse: Refuse): string[] {
  if (!Array.isArray(value)) {
    refuse('volumes', 'invalid')
    return []
  }
  if (value.length > APP_LIMITS.volumes) refuse('volumes', 'too_many')
  const seen = new Set<string>()
  for (const [index, path] of value.entries()) {
    const field = `volumes.${index}`
    if (typeof path !== 'string' || !PATH.test(path)) {
      refuse(field, 'invalid')
      continue
    }
    const normal = normalPath(path)
    if (isReservedPath(normal)) refuse(field, 'no_privilege')
    else if (seen.has(normal)) refuse(field, 'duplicate')
    seen.add(normal)
  }
  return [...seen].sort()
}

function readFiles(
  value: unknown,
  { volumes, password }: { volumes: readonly string[]; password: string | undefined },
  refuse: Refuse,
): Record<string, AppFile> {
  if (!isRecord(value)) {
    refuse('files', 'invalid')
    return {}
  }
  const entries = Object.entries(value)
  if (entries.length > APP_LIMITS.files) refuse('files', 'too_many')
  const files = new Map<string, AppFile>()
  for (const [path, one] of entries) {
    const field = `files.${path.slice(0, 200)}`
    const normal = normalPath(path)
    const file = readFile(one)
    if (!PATH.test(path) || path.endsWith('/') || file === undefined) refuse(field, 'invalid')
    else if (isReservedPath(normal)) refuse(field, 'no_privilege')
    else if (files.has(normal) || volumes.includes(normal)) refuse(field, 'duplicate')
    // The account of a registry is not given to a program.
    else if (typeof file === 'object' && file.secret === password) refuse(field, 'duplicate')
    else files.set(normal, file)
  }
  const isWithin = (path: string, outer: string) => path.startsWith(`${outer}/`)
  for (const outer of files.keys())
    if ([...volumes, ...files.keys()].some((path) => isWithin(path, outer))) refuse(`files.${outer}`, 'invalid')
  if (fileBytes(Object.fromEntries(files)) > APP_LIMITS.fileBytes) refuse('files', 'too_large')
  return sortedFiles(Object.fromEntries(files))
}

function readFile(value: unknown): AppFile | undefined {
  if (typeof value === 'string') return isPlainText(value) ? value : undefined
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined
  const { secret } = value
  return typeof secret === 'string' && NAME.test(secret) ? { secret } : undefined
}

function readRegistry(value: unknown, refuse: Refuse): AppSpec['registry'] {
  if (!isRecord(value)) return refuse('registry', 'invalid')
  for (const name of Object.keys(value)) if (name !== 'username' && name !== 'password') refuse(`registry.${name}`, 'unsupported')
  const { username, password } = value
  if (typeof username !== 'string' || !ACCOUNT.test(username)) return refuse('registry.username', 'invalid')
  if (typeof password !== 'string' || !NAME.test(password)) return refuse('registry.password', 'invalid')
  return { username, password }
}

function readSharedMemory(value: unknown, refuse: Refuse): number | undefined {
  const { least, most } = APP_LIMITS.sharedMemory
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value)
  return refuse('sharedMemory', 'invalid')
}

function readText(field: string, value: unknown, isRight: (text: string) => boolean, refuse: Refuse): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' && isRight(value) ? value : refuse(field, 'invalid')
}

/** The container has only this many user ids. */
const hasIds = (user: string): boolean => user.split(':').every((part) => !/^\d+$/.test(part) || Number(part) < 65_535)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same values, sorted by name. */
export const sortedByName = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(values)
      .sort()
      .map((name) => [name, values[name] as string]),
  )

export const sortedFiles = (files: Readonly<Record<string, AppFile>>): Record<string, AppFile> =>
  Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Bytes of the texts of files that are part of what is signed. */
export const fileBytes = (files: Readonly<Record<string, AppFile>> = {}): number =>
  Object.values(files).reduce((sum, file) => sum + (typeof file === 'string' ? bytesOf(file) : 0), 0)

/** The names of values that files consist of. */
export const fileSecrets = (files: Readonly<Record<string, AppFile>> = {}): string[] =>
  Object.values(files).flatMap((file) => (typeof file === 'string' ? [] : [file.secret]))

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Bytes of names and values, as counted against the limit. */
export const envBytes = (env: Readonly<Record<string, string>>): number =>
  Object.entries(env).reduce((sum, [name, value]) => sum + bytesOf(name) + bytesOf(value), 0)
