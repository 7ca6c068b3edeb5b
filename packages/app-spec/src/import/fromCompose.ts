import type { Beside } from './Beside.ts'
import { commandWords } from './commandWords.ts'
import { type FileSources, readConfig, readSecret } from './composeFiles.ts'
import { fromComposeServices, type UsedService } from './composeServices.ts'
import { isNotPublic, type PublishedPort, readPublished, readRange, withUsualHttp } from './foreignPorts.ts'
import { isHostPath, readMemoryMount, readMount, takeMount } from './foreignVolumes.ts'
import { BadVariable, interpolate } from './interpolate.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { type Handlers, isOn, isRecord, type Pasted, Reading, saysNothing, textOf } from './Reading.ts'
import type { Setting } from './settings.ts'
import { isUnknown, unknownValue } from './unknownValue.ts'

/** Reads a compose file of one service, or of several. */
export function fromCompose(value: unknown, lineOf: (path: Path) => number | undefined, beside: Beside = {}): Pasted {
  const reading = new Reading(lineOf, { takesExtensions: true, beside })
  const file = filledIn(reading, value, [])
  /** Networks without a way out or in. */
  const internal = new Set<string>()
  let used: UsedService[] = []
  const sources = { secrets: {} as FileSources, configs: {} as FileSources }
  const takeSources =
    (kind: 'secrets' | 'configs') =>
    (one: unknown, path: Path): undefined => {
      if (!isRecord(one)) return reading.refuse(path, 'invalid')
      sources[kind] = one
    }
  reading.fields(file, [], {
    version: 'label',
    name: 'label',
    networks: (networks, path) => readNetworks(reading, networks, path, internal),
    volumes: (volumes, path) => readVolumes(reading, volumes, path),
    secrets: takeSources('secrets'),
    configs: takeSources('configs'),
    models: 'otherFile',
    include: 'otherFile',
    services: (services, path) => {
      if (!isRecord(services)) return reading.refuse(path, 'invalid')
      used = usedServices(reading, services, path)
    },
  })
  const [only, second] = used
  if (!only) {
    if (!reading.isRefused) reading.refuse(['services'], 'missing')
    return reading.end('compose')
  }
  if (second)
    return fromComposeServices(reading, used, (part, { name, service }, own) =>
      readService(part, service, ['services', name], { internal, own, sources }),
    )
  readService(reading, only.service, ['services', only.name], { internal, own: {}, sources })
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('compose')
}

/** The whole file with its variables filled in. Names of fields are left as they are. */
function filledIn(reading: Reading, value: unknown, path: Path): unknown {
  if (typeof value === 'string') {
    try {
      if (path[2] === 'environment') return withPrivate(reading, value, path)
      return interpolate(value, reading.beside.variables, (name, usual) => {
        const isGiven = Object.hasOwn(reading.beside.variables ?? {}, name)
        if (isGiven || (usual !== undefined && WITH_USUAL.has(String(path[2])))) reading.want('variable', name, path, usual)
      })
    } catch (error) {
      if (!(error instanceof BadVariable)) throw error
      reading.refuse(path, 'bad_variable')
      return ''
    }
  }
  if (Array.isArray(value)) return value.map((one: unknown, index) => filledIn(reading, one, [...path, index]))
  if (!isRecord(value)) return value
  // What stands in a field of the author's own counts only where an alias repeats it.
  const used = Object.entries(value).filter(([name]) => path.length > 0 || !name.startsWith('x-'))
  return Object.fromEntries(used.map(([name, one]) => [name, filledIn(reading, one, [...path, name])]))
}

/** Fields in which what a variable is without a value is worth a question; of those that have no effect it is not. */
const WITH_USUAL: ReadonlySet<string> = new Set(['image', 'command', 'entrypoint', 'user', 'working_dir', 'shm_size', 'content'])

/** A value of the environment. What was given for it is marked, to travel sealed. */
function withPrivate(reading: Reading, value: string, path: Path): string {
  const start = path.length === 4 && typeof path[3] === 'number' ? value.indexOf('=') + 1 : 0
  const [name, rest] = [value.slice(0, start), value.slice(start)]
  const plain = interpolate(rest)
  const filled = interpolate(rest, reading.beside.variables)
  if (filled === plain || isUnknown(filled)) return interpolate(name) + plain
  const mark = unknownValue(rest)
  reading.filled.set(mark, filled)
  return interpolate(name) + mark
}

/** Those that start without a profile being named, or all of them. */
function usedServices(reading: Reading, services: Record<string, unknown>, path: Path): UsedService[] {
  const all = Object.entries(services)
  const started = all.filter(([, service]) => !isRecord(service) || saysNothing(service.profiles ?? null))
  const used = started.length > 0 ? started : all
  if (used.length === 0) reading.refuse(path, 'missing')
  for (const [name] of all) if (!used.some(([one]) => one === name)) reading.note([...path, name], 'no_effect')
  return used.map(([name, service]) => ({ name, service }))
}

function readNetworks(reading: Reading, networks: unknown, path: Path, internal: Set<string>): undefined {
  if (!isRecord(networks)) return reading.refuse(path, 'invalid')
  for (const [name, network] of Object.entries(networks)) {
    if (isRecord(network) && isOn(network.internal)) internal.add(name)
    else reading.settle('network', isRecord(network) ? withoutName(network) : network, [...path, name])
  }
}

/** `docker compose config` names what has no name of its own. */
const withoutName = ({ name: _, ...rest }: Record<string, unknown>) => rest

function readVolumes(reading: Reading, volumes: unknown, path: Path): undefined {
  if (!isRecord(volumes)) return reading.refuse(path, 'invalid')
  for (const [name, volume] of Object.entries(volumes)) {
    if (volume === null) continue
    reading.fields(volume, [...path, name], {
      name: () => {},
      external: (one, at) => (saysNothing(one) ? undefined : reading.note(at, 'empty_folder')),
      driver: (one, at) => (textOf(one) === 'local' ? undefined : reading.refuse(at, 'unsupported')),
      driver_opts: (one, at) => (saysNothing(one) ? undefined : reading.note(at, 'empty_folder')),
      labels: 'label',
    })
  }
}

/** Fields of a service that have the fate of their setting. */
const SETTING_OF: Readonly<Record<string, Setting>> = {
  ...{
    annotations: 'label',
    container_name: 'label',
    hostname: 'label',
    domainname: 'label',
    labels: 'label',
    label_file: 'label',
  },
  ...{
    profiles: 'label',
    attach: 'attachment',
    tty: 'attachment',
    stdin_open: 'attachment',
    logging: 'logging',
    log_driver: 'logging',
  },
  ...{ log_opt: 'logging', dns: 'names', dns_opt: 'names', dns_search: 'names', extra_hosts: 'names', mac_address: 'network' },
  ...{ stop_grace_period: 'stop', stop_signal: 'stop', develop: 'development', group_add: 'groups', pull_policy: 'pull' },
  ...{
    platform: 'platform',
    runtime: 'platform',
    isolation: 'platform',
    healthcheck: 'health',
    restart: 'restart',
    init: 'walls',
  },
  ...{ cap_drop: 'walls', cap_add: 'capability', devices: 'device', device_cgroup_rules: 'privilege', security_opt: 'security' },
  ...{ network_mode: 'networkMode', net: 'networkMode', ipc: 'ipc', pid: 'namespace', uts: 'namespace', cgroup: 'namespace' },
  ...{
    userns_mode: 'namespace',
    cgroup_parent: 'privilege',
    sysctls: 'privilege',
    use_api_socket: 'privilege',
  },
  ...{
    gpus: 'resources',
    mem_limit: 'resources',
    mem_reservation: 'resources',
    mem_swappiness: 'resources',
    memswap_limit: 'resources',
  },
  ...{ cpus: 'resources', cpu_count: 'resources', cpu_percent: 'resources', cpu_shares: 'resources', cpu_period: 'resources' },
  ...{
    cpu_quota: 'resources',
    cpu_rt_runtime: 'resources',
    cpu_rt_period: 'resources',
    cpuset: 'resources',
  },
  ...{ ulimits: 'resources', pids_limit: 'resources', oom_kill_disable: 'resources', oom_score_adj: 'resources' },
  ...{ blkio_config: 'resources', storage_opt: 'resources', volume_driver: 'unsupported', credential_spec: 'unsupported' },
  ...{ depends_on: 'otherContainer', links: 'otherContainer', external_links: 'otherContainer', volumes_from: 'otherContainer' },
  ...{ extends: 'otherFile', models: 'otherFile', provider: 'unsupported' },
  ...{ post_start: 'unsupported', pre_stop: 'unsupported' },
}

interface ServiceContext {
  sources: { secrets: FileSources; configs: FileSources }
  internal: ReadonlySet<string>
  /** What only one of several services has. */
  own: Handlers
}

function readService(reading: Reading, service: unknown, at: Path, { internal, own, sources }: ServiceContext): undefined {
  if (!isRecord(service)) return reading.refuse(at, 'invalid')
  const onlyIfOn =
    (setting: Setting) =>
    (one: unknown, path: Path): undefined =>
      isOn(one) ? reading.settle(setting, one, path) : undefined
  const takeText =
    (field: 'user' | 'workdir' | 'image') =>
    (one: unknown, path: Path): undefined =>
      one === '' ? undefined : reading.take(field, isText(one) ? textOf(one) : one, path)
  const each =
    (read: (one: unknown, path: Path) => undefined) =>
    (list: unknown, path: Path): undefined =>
      saysNothing(list) ? undefined : reading.each(list, path, read)
  const copies = (one: unknown, path: Path): undefined => (textOf(one) === '1' ? undefined : reading.note(path, 'one_copy'))
  const networks = networksOf(service)
  const isInternal = networks.length > 0 && networks.every((name) => internal.has(name))
  const exposed: [port: unknown, at: Path][] = []
  const handlers: Handlers = {
    ...SETTING_OF,
    image: takeText('image'),
    build: (one, path) => {
      if (saysNothing(one)) return
      if (!saysNothing(service.image ?? null)) return reading.note(path, 'not_built')
      const image = reading.want('image', String(at.at(-1)), path)
      return image === undefined ? reading.refuse(path, 'needs_image') : reading.take('image', image, path)
    },
    entrypoint: (one, path) => takeWords(reading, 'command', one, path),
    command: (one, path) => takeWords(reading, 'args', one, path),
    // Read first, as what stands in the file itself counts.
    env_file: () => {},
    secrets: each((one, path) => readSecret(reading, one, path, sources.secrets)),
    configs: each((one, path) => readConfig(reading, one, path, sources.configs)),
    environment: (one, path) => readEnvironment(reading, one, path),
    ports: (one, path) => reading.each(one, path, (port, where) => readPort(reading, port, where, isInternal)),
    // For other containers only, unless it is published as well.
    expose: (one, path) => reading.each(one, path, (port, where) => void exposed.push([port, where])),
    volumes: (one, path) => reading.each(one, path, (volume, where) => readVolume(reading, volume, where)),
    shm_size: (one, path) => reading.takeSharedMemory(textOf(one), 1024, path),
    tmpfs: (one, path) => {
      const each = (entry: unknown, where: Path) => {
        takeMount(reading, readMemoryMount(textOf(entry)), where)
      }
      if (Array.isArray(one)) reading.each(one, path, each)
      else each(one, path)
    },
    networks: (_, path) => {
      if (isInternal) reading.note(path, 'closed_port')
      else if (networks.some((name) => name !== 'default')) reading.settle('network', 'named', path)
    },
    user: takeText('user'),
    working_dir: takeText('workdir'),
    read_only: onlyIfOn('readOnly'),
    privileged: onlyIfOn('privilege'),
    scale: copies,
    deploy: (one, path) =>
      reading.fields(one, path, {
        resources: 'resources',
        replicas: copies,
        restart_policy: 'restart',
        placement: 'scheduling',
        labels: 'label',
        mode: (mode, where) => (textOf(mode) === 'replicated' ? undefined : reading.settle('rollout', mode, where)),
        update_config: 'rollout',
        rollback_config: 'rollout',
        endpoint_mode: 'network',
      }),
    ...own,
  }
  readValuesFiles(reading, service.env_file, [...at, 'env_file'])
  reading.fields(service, at, handlers)
  for (const [port, path] of exposed) readExposed(reading, port, path)
}

function readValuesFiles(reading: Reading, value: unknown, at: Path): undefined {
  if (saysNothing(value ?? null)) return
  const each = (one: unknown, path: Path): undefined => {
    if (isText(one)) return reading.addValuesFile(textOf(one), path)
    if (!isRecord(one) || textOf(one.path) === '') return reading.refuse(path, 'invalid')
    reading.addValuesFile(textOf(one.path), path, textOf(one.format) === 'raw')
  }
  return Array.isArray(value) ? reading.each(value, at, each) : each(value, at)
}

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof Plain

function networksOf(service: Record<string, unknown>): string[] {
  const { networks } = service
  if (Array.isArray(networks)) return networks.map(textOf)
  if (isRecord(networks)) return Object.keys(networks)
  return ['default']
}

function takeWords(reading: Reading, field: 'command' | 'args', value: unknown, path: Path): undefined {
  if (Array.isArray(value)) {
    if (!value.every(isText)) return reading.refuse(path, 'invalid')
    return reading.take(field, value.map(textOf), path)
  }
  if (!isText(value)) return reading.refuse(path, 'invalid')
  const { words, isBroken } = commandWords(textOf(value))
  if (isBroken) return reading.refuse(path, 'no_shell')
  reading.take(field, words, path)
}

function readEnvironment(reading: Reading, value: unknown, path: Path): undefined {
  const add = (name: string, one: unknown, at: Path): undefined => {
    // Without a value, compose takes it from the shell environment.
    if (one === null) return reading.addSecret(name, at)
    if (!isText(one)) return reading.refuse(at, 'invalid')
    reading.addEnv(name, textOf(one), at)
  }
  if (isRecord(value)) for (const [name, one] of Object.entries(value)) add(name, one, [...path, name])
  else
    reading.each(value, path, (one, at) => {
      if (typeof one !== 'string') return reading.refuse(at, 'invalid')
      const equals = one.indexOf('=')
      if (equals < 0) add(one, null, at)
      else add(one.slice(0, equals), one.slice(equals + 1), at)
    })
}

function readPort(reading: Reading, value: unknown, at: Path, isInternal: boolean): undefined {
  if (isText(value)) {
    const ports = readPublished(textOf(value))
    if (ports === 'unknown') return reading.lacks(textOf(value), at)
    if (!ports) return reading.refuse(at, 'invalid')
    for (const { protocol, port, closed } of ports) if (!closed && !isInternal) reading.addPort({ protocol, port }, at)
    if (ports[0]?.closed) return reading.note(at, 'closed_port')
    if (ports[0]?.outside && !isInternal) reading.note(at, 'outside_port')
    return
  }
  let protocol: 'http' | 'tcp' | 'udp' = 'tcp'
  let target: number[] | undefined
  let isClosed = isInternal
  reading.fields(value, at, {
    target: (one) => {
      target = readRange(textOf(one))
    },
    published: 'hostPort',
    host_ip: (one, path) => {
      const address = textOf(one)
      if (isUnknown(address)) return reading.lacks(address, path)
      if (!isNotPublic(address)) return
      isClosed = true
      reading.note(path, 'closed_port')
    },
    protocol: (one, path) => {
      const name = textOf(one).toLowerCase()
      if (name !== 'tcp' && name !== 'udp') return reading.refuse(path, 'unsupported')
      if (name === 'udp') protocol = 'udp'
    },
    app_protocol: (one, path) => {
      if (/^http(?:1\.1)?$/i.test(textOf(one))) protocol = 'http'
      else reading.settle('label', one, path)
    },
    mode: (one, path) => (textOf(one) === 'ingress' ? undefined : reading.settle('label', one, path)),
    name: 'label',
  })
  if (!isRecord(value)) return
  if (!target) return isUnknown(textOf(value.target)) ? reading.lacks(textOf(value.target), at) : reading.refuse(at, 'invalid')
  if (!isClosed) for (const port of target) reading.addPort({ protocol, port }, at)
}

function readExposed(reading: Reading, value: unknown, at: Path): undefined {
  const ports = readPublished(textOf(value))
  if (ports === 'unknown') return
  if (!ports) return reading.refuse(at, 'invalid')
  const isOpen = ({ protocol, port }: PublishedPort) =>
    reading.draft.ports?.some((one) => one.port === port && (one.protocol === 'udp') === (protocol === 'udp'))
  if (!ports.every(isOpen)) reading.note(at, 'closed_port')
}

function readVolume(reading: Reading, value: unknown, at: Path): undefined {
  if (typeof value === 'string') {
    const mount = readMount(value)
    return mount ? takeMount(reading, mount, at) : reading.refuse(at, 'invalid')
  }
  let type = 'volume'
  let source = ''
  let target = ''
  let isReadOnly = false
  let isPart = false
  let size = ''
  const before = reading.isRefused
  reading.fields(value, at, {
    type: (one) => {
      type = textOf(one)
    },
    source: (one) => {
      source = textOf(one)
    },
    target: (one) => {
      target = textOf(one)
    },
    read_only: (one) => {
      isReadOnly = isOn(one)
    },
    volume: (one, path) =>
      reading.fields(one, path, {
        nocopy: 'label',
        labels: 'label',
        subpath: () => {
          isPart = true
        },
      }),
    bind: () => {},
    tmpfs: (one) => {
      size = isRecord(one) ? textOf(one.size) : ''
    },
    consistency: 'label',
  })
  if (!isRecord(value) || (reading.isRefused && !before)) return
  if (!/^(?:volume|bind|tmpfs)$/.test(type)) return reading.refuse([...at, 'type'], 'unsupported')
  const isHost = type === 'bind' || isHostPath(source)
  takeMount(
    reading,
    { source, target, isHost, isReadOnly, isPart, isMemory: type === 'tmpfs', size: { text: size, thousands: 1024 } },
    at,
  )
}
