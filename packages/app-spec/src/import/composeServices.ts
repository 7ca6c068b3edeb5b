import type { AppPort } from '../AppSpec.ts'
import { isValueName, normalPath } from '../parseAppSpec.ts'
import { type Condition, SERVICE_LIMITS } from '../services/Application.ts'
import { parseApplication } from '../services/parseApplication.ts'
import { withUsualHttp } from './foreignPorts.ts'
import type { Path } from './paths.ts'
import { type Handlers, isOn, isRecord, type Pasted, type Reading, textOf } from './Reading.ts'
import { isUnknown } from './unknownValue.ts'

export interface UsedService {
  name: string
  service: unknown
}

/** One service as it was read. */
interface Part {
  /** As the file calls it. */
  name: string
  /** As it is called here. */
  called: string
  reading: Reading
  aliases: Set<string>
  /** By the names of the file. */
  after: Map<string, Condition>
  check?: { command: string[]; every?: number; failures?: number }
  isOnce: boolean
}

const CONDITION_OF: Readonly<Record<string, Condition>> = {
  service_started: 'started',
  service_healthy: 'healthy',
  service_completed_successfully: 'done',
}
const ALIAS = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/

/** Reads a compose file of several services, each by `read`, and what they have to do with each other. */
export function fromComposeServices(
  reading: Reading,
  used: readonly UsedService[],
  read: (part: Reading, one: UsedService, own: Handlers) => void,
): Pasted {
  const called = uniqueNames(used.map(({ name }) => name))
  const parts = used.map((one): Part => {
    const { name } = one
    const part: Part = {
      ...{ name, called: called.get(name) ?? name, reading: reading.part(), aliases: new Set(), after: new Map(), isOnce: false },
    }
    if (part.called !== name) part.aliases.add(name)
    read(part.reading, one, ownHandlers(part, new Set(used.map(({ name: its }) => its))))
    part.reading.sealLikely()
    return part
  })
  for (const part of parts)
    for (const [name, condition] of part.after)
      if (condition === 'done') for (const other of parts) if (other.name === name) other.isOnce = true
  // Nothing would be left of an order whose services have all ended.
  if (parts.every(({ isOnce }) => isOnce)) for (const part of parts) part.isOnce = false
  return endServices(reading, parts, called)
}

/** What a service of a file has only beside others. */
function ownHandlers(part: Part, names: ReadonlySet<string>): Handlers {
  const { reading } = part
  const wait = (name: string, condition: Condition, path: Path): undefined => {
    // One that starts only with a profile is not part of it.
    if (!names.has(name)) return reading.note(path, 'no_effect')
    part.after.set(name, condition)
  }
  const alias = (one: unknown, path: Path): undefined => {
    const name = textOf(one)
    if (isUnknown(name) || !ALIAS.test(name)) return reading.note(path, 'no_effect')
    part.aliases.add(name)
  }
  return {
    container_name: alias,
    hostname: alias,
    // Others reach it at any port.
    expose: () => {},
    restart: (one, path) => {
      part.isOnce = textOf(one) === 'no' && (reading.draft.ports ?? []).length === 0
      if (!part.isOnce) reading.settle('restart', one, path)
    },
    depends_on: (one, path) => {
      if (Array.isArray(one)) return reading.each(one, path, (name, at) => wait(textOf(name), 'started', at))
      if (!isRecord(one)) return reading.refuse(path, 'invalid')
      for (const [name, how] of Object.entries(one)) {
        const condition = isRecord(how) ? textOf(how.condition) : ''
        wait(name, CONDITION_OF[condition] ?? 'started', [...path, name])
      }
    },
    links: (one, path) =>
      reading.each(one, path, (link, at) => {
        const [name = '', as] = textOf(link).split(':')
        wait(name, 'started', at)
        // The name would be for this one alone, and is for all of them.
        if (as !== undefined && as !== name) part.reading.note(at, 'no_effect')
      }),
    healthcheck: (one, path) => {
      if (isRecord(one)) readCheck(part, one, path)
    },
    networks: (one, path) => {
      for (const [name, network] of Object.entries(isRecord(one) ? one : {}))
        if (isRecord(network) && Array.isArray(network.aliases))
          for (const [index, its] of network.aliases.entries()) alias(its, [...path, name, 'aliases', index])
    },
  }
}

function readCheck(part: Part, check: Record<string, unknown>, path: Path): undefined {
  const { test } = check
  if (isOn(check.disable)) return undefined
  const words = Array.isArray(test) ? test.map(textOf) : textOf(test) === '' ? [] : ['CMD-SHELL', textOf(test)]
  if (words.some(isUnknown)) return part.reading.note(path, 'probe_ignored')
  const [kind, ...rest] = words
  const command = kind === 'CMD' ? rest : kind === 'CMD-SHELL' ? ['/bin/sh', '-c', rest.join(' ')] : []
  if (command.length === 0) return undefined
  const within = (value: number | undefined, { least, most }: { least: number; most: number }) =>
    value === undefined ? {} : Math.min(most, Math.max(least, Math.round(value)))
  const every = within(secondsOf(textOf(check.interval)), SERVICE_LIMITS.checkSeconds)
  const retries = textOf(check.retries)
  const failures = within(/^\d+$/.test(retries) ? Number(retries) : undefined, SERVICE_LIMITS.checkFailures)
  part.check = {
    command,
    ...(typeof every === 'number' ? { every } : {}),
    ...(typeof failures === 'number' ? { failures } : {}),
  }
}

/** `1m30s` is 90; undefined for what is no time. */
function secondsOf(text: string): number | undefined {
  const units: Record<string, number> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h)/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) return undefined
  return parts.reduce((sum, [, number, unit = 's']) => sum + Number(number) * (units[unit] ?? 1), 0)
}

/** Names of services here for those of a file: `Web_App` is `web-app`. */
function uniqueNames(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    names.map((name) => {
      const plain =
        name
          .toLowerCase()
          .replace(/[^a-z0-9-]/g, '-')
          .replace(/^[^a-z]+/, '')
          .slice(0, 28) || 'service'
      let free = plain
      for (let count = 2; taken.has(free) || free === 'localhost'; count += 1) free = `${plain}-${count}`
      taken.add(free)
      return [name, free]
    }),
  )
}

function endServices(reading: Reading, parts: readonly Part[], called: ReadonlyMap<string, string>): Pasted {
  const page = pageOf(parts)
  const secrets = secretNames(parts)
  const folders = folderNames(parts)
  const names = new Set(parts.map((part) => part.called))
  const given = new Set<string>()
  const value = Object.fromEntries(
    parts.map((part) => {
      const { draft } = part.reading
      const { secrets: its = [], volumes = [], ports = [], env = {}, ...rest } = draft
      // A name that two have would be nobody's.
      const aliases = [...part.aliases].filter((one) => {
        const name = one.toLowerCase()
        const isFree = !names.has(name) && !given.has(name)
        given.add(name)
        return isFree
      })
      return [
        part.called,
        {
          ...rest,
          env,
          ports: ports.map((port) => withoutPage(port, part === page.part && port.port === page.port)),
          secrets: Object.fromEntries(its.map((variable) => [variable, secrets.get(part)?.get(variable) ?? variable])),
          volumes: Object.fromEntries(volumes.map((path) => [path, folders.get(part)?.get(normalPath(path)) ?? 'data'])),
          after: Object.fromEntries([...part.after].map(([name, condition]) => [called.get(name) ?? name, condition])),
          ...(part.isOnce ? { once: true } : {}),
          ...(part.check ? { check: part.check } : {}),
          aliases,
        },
      ]
    }),
  )
  const { application, problems } = parseApplication({ services: value })
  // A field that was refused above is missing: that is not said as well.
  const own = reading.isRefused ? problems.filter(({ code }) => code !== 'missing') : problems
  for (const { field, code } of own) reading.refuse(placeOf(parts, field), code)
  const { problems: all, notes, wanted } = reading.said
  return {
    ...{ kind: 'compose' as const, draft: {}, services: parts.map((part) => part.called), problems: all, notes, wanted },
    values: valuesOf(parts, secrets),
    ...(application && !reading.isRefused ? { application } : {}),
  }
}

/** Where the file says what a field of the application was made of. */
function placeOf(parts: readonly Part[], field: string): Path {
  const [, name = '', ...rest] = field.split('.')
  const part = parts.find((one) => one.called === name)
  if (!part) return ['services']
  const place = part.reading.placeOf(rest.join('.'))
  return place && place.length > 0 ? place : ['services', part.name, ...rest]
}

/** The page of the application: what says that it speaks HTTP, else the first usual port, of a service at port 80 before others. */
function pageOf(parts: readonly Part[]): { part: Part | undefined; port: number | undefined } {
  const candidates = parts.flatMap((part) => {
    const stated = part.reading.draft.ports?.find(({ protocol }) => protocol === 'http')
    const usual = withUsualHttp(part.reading.draft.ports)?.find(({ protocol }) => protocol === 'http')
    return usual ? [{ part, port: usual.port, rank: stated ? 0 : usual.port === 80 ? 1 : 2 }] : []
  })
  const [best] = candidates.sort((a, b) => a.rank - b.rank)
  return { part: best?.part, port: best?.port }
}

const withoutPage = ({ protocol, port, ...rest }: AppPort, isPage: boolean): AppPort =>
  isPage && protocol !== 'udp' ? { ...rest, protocol: 'http', port } : { protocol: protocol === 'http' ? 'tcp' : protocol, port }

/**
 * What the values are called that travel beside the application. A variable of the user's is one value wherever it stands; else the variable
 * of the service, with the name of the service where two mean different ones.
 */
function secretNames(parts: readonly Part[]): Map<Part, Map<string, string>> {
  const all = parts.flatMap((part) => (part.reading.draft.secrets ?? []).map((variable) => ({ part, variable })))
  const isMixed = (variable: string) => {
    const meant = all.filter((one) => one.variable === variable && !one.part.reading.variables.has(variable))
    const values = new Set(meant.map(({ part }) => part.reading.sealed.get(variable)))
    return meant.length > 1 && (values.size > 1 || values.has(undefined))
  }
  const named = new Map(parts.map((part) => [part, new Map<string, string>()]))
  for (const { part, variable } of all) {
    const own = part.reading.variables.get(variable)
    const long = `${part.called.toUpperCase().replaceAll('-', '_')}_${variable}`
    const name = own ?? (isMixed(variable) && isValueName(long) ? long : variable)
    named.get(part)?.set(variable, name)
  }
  return named
}

/** What is known of the values that travel beside the application, by what they are called. */
function valuesOf(parts: readonly Part[], names: ReadonlyMap<Part, ReadonlyMap<string, string>>): Record<string, string> {
  const values = new Map(parts[0]?.reading.fileValues)
  for (const part of parts)
    for (const [variable, value] of part.reading.sealed) values.set(names.get(part)?.get(variable) ?? variable, value)
  return Object.fromEntries(values)
}

/** Names of the folders on the disk: what is one in the file is one here, and what has no name is the service's own. */
function folderNames(parts: readonly Part[]): Map<Part, Map<string, string>> {
  const bySource = new Map<string, string>()
  const taken = new Set<string>()
  const nameFor = (source: string, wanted: string): string => {
    const known = bySource.get(source)
    if (known !== undefined) return known
    const plain =
      wanted
        .toLowerCase()
        .replace(/[^a-z0-9_.-]+/g, '-')
        .replace(/^[^a-z0-9]+/, '')
        .slice(0, 56) || 'data'
    let name = plain
    for (let count = 2; taken.has(name); count += 1) name = `${plain}-${count}`
    taken.add(name)
    bySource.set(source, name)
    return name
  }
  return new Map(
    parts.map((part) => {
      const own = [...part.reading.volumeSources].map(([path, source]): [string, string] => {
        const wanted = source === '' || isUnknown(source) ? `${part.called}${path.replaceAll('/', '-')}` : source
        return [path, nameFor(source === '' ? `${part.called} ${path}` : source, wanted)]
      })
      return [part, new Map(own)]
    }),
  )
}
