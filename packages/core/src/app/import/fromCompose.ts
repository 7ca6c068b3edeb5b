import { readPublished, withUsualHttp } from './foreignPorts.ts'
import { isRecord, type Pasted, type Path, Reading } from './Reading.ts'
import { shellWords } from './shellWords.ts'

/** Reads a compose file of one service. */
export function fromCompose(value: unknown, lineOf: (path: Path) => number | undefined): Pasted {
  const reading = new Reading(lineOf)
  reading.fields(value, [], {
    version: (_, path) => reading.note(path, 'name_ignored'),
    name: (_, path) => reading.note(path, 'name_ignored'),
    volumes: (volumes, path) => {
      if (volumes === null) return
      if (!isRecord(volumes)) return reading.refuse(path, 'invalid')
      for (const [name, one] of Object.entries(volumes)) if (one !== null) reading.fields(one, [...path, name], {})
    },
    services: (services, path) => {
      if (!isRecord(services)) return reading.refuse(path, 'invalid')
      const [first, ...others] = Object.keys(services)
      for (const other of others) reading.refuse([...path, other], 'one_service')
      if (first === undefined) return reading.refuse(path, 'missing')
      readService(reading, services[first], [...path, first])
    },
  })
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('compose')
}

function readService(reading: Reading, service: unknown, at: Path): undefined {
  const walled = (_: unknown, path: Path) => reading.refuse(path, 'no_privilege')
  const machine = (_: unknown, path: Path) => reading.note(path, 'machine_decides')
  const ignored = (_: unknown, path: Path) => reading.note(path, 'name_ignored')
  reading.fields(service, at, {
    image: (one, path) => reading.take('image', one, path),
    entrypoint: (one, path) => takeWords(reading, 'command', one, path),
    command: (one, path) => takeWords(reading, 'args', one, path),
    environment: (one, path) => readEnvironment(reading, one, path),
    ports: (one, path) => reading.each(one, path, (port, where) => readPort(reading, port, where)),
    expose: (one, path) => reading.each(one, path, (port, where) => readPort(reading, port, where)),
    volumes: (one, path) => reading.each(one, path, (volume, where) => readVolume(reading, volume, where)),
    user: (one, path) => reading.take('user', typeof one === 'number' ? String(one) : one, path),
    working_dir: (one, path) => reading.take('workdir', one, path),
    restart: (_, path) => reading.note(path, 'always_restarted'),
    healthcheck: (_, path) => reading.note(path, 'probe_ignored'),
    container_name: ignored,
    hostname: ignored,
    labels: ignored,
    init: (_, path) => reading.note(path, 'walls'),
    read_only: (one, path) => (one === false ? undefined : reading.refuse(path, 'unsupported')),
    tty: ignored,
    stdin_open: ignored,
    deploy: (one, path) => reading.fields(one, path, { resources: machine, replicas: isOne(reading) }),
    gpus: machine,
    mem_limit: machine,
    cpus: machine,
    shm_size: machine,
    runtime: machine,
    depends_on: (_, path) => reading.refuse(path, 'one_service'),
    privileged: (one, path) => (one === false ? undefined : reading.refuse(path, 'no_privilege')),
    cap_drop: (_, path) => reading.note(path, 'walls'),
    cap_add: walled,
    devices: walled,
    pid: walled,
    ipc: walled,
    network_mode: walled,
    userns_mode: walled,
    security_opt: walled,
    sysctls: walled,
    cgroup_parent: walled,
  })
}

const isOne = (reading: Reading) => (value: unknown, path: Path) =>
  value === 1 ? undefined : reading.refuse(path, 'one_service')

function takeWords(reading: Reading, field: 'command' | 'args', value: unknown, path: Path): undefined {
  if (value === null) return
  if (typeof value !== 'string') {
    if (Array.isArray(value) && value.some((word) => typeof word === 'string' && hasVariable(word)))
      reading.refuse(path, 'no_value')
    const list: unknown = Array.isArray(value)
      ? value.map((word: unknown) => (typeof word === 'string' ? unescaped(word) : word))
      : value
    return reading.take(field, list, path)
  }
  // Compose fills in variables before it splits the command, also inside single quotes.
  const { words, brokenAt } = shellWords(unescaped(value), { expands: false })
  if (brokenAt !== undefined) return reading.refuse(path, 'syntax')
  if (hasVariable(value)) return reading.refuse(path, 'no_value')
  reading.take(
    field,
    words.map(({ text }) => text),
    path,
  )
}

function readEnvironment(reading: Reading, value: unknown, path: Path): undefined {
  const add = (name: string, one: unknown, at: Path) => {
    // Without a value, compose takes it from the shell environment.
    if (one === null || one === undefined) return reading.addSecret(name, at)
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') return reading.refuse(at, 'invalid')
    const text = String(one)
    if (/^\$(?:\w+|\{\w+(?::?\?[^}]*)?\})$/.test(text)) return reading.addSecret(name, at)
    const filled = text.replace(/(\$\$)|\$\{\w+:?-([^}$]*)\}/g, '$1$2')
    if (hasVariable(filled)) return reading.refuse(at, 'no_value')
    reading.addEnv(name, unescaped(filled), at)
  }
  if (isRecord(value)) for (const [name, one] of Object.entries(value)) add(name, one, [...path, name])
  else
    reading.each(value, path, (one, at) => {
      if (typeof one !== 'string') return reading.refuse(at, 'invalid')
      const equals = one.indexOf('=')
      if (equals < 0) add(one, undefined, at)
      else add(one.slice(0, equals), one.slice(equals + 1), at)
    })
}

const hasVariable = (text: string): boolean => text.replaceAll('$$', '').includes('$')

/** In a compose file two dollar signs are one that starts no variable. */
const unescaped = (text: string): string => text.replaceAll('$$', '$')

function readPort(reading: Reading, value: unknown, at: Path): undefined {
  if (typeof value === 'string' || typeof value === 'number') {
    const port = readPublished(String(value))
    if (!port) return reading.refuse(at, 'invalid')
    if (port.outside) reading.note(at, 'outside_port')
    return reading.add('ports', { protocol: port.protocol, port: port.port }, at)
  }
  let protocol: unknown = 'tcp'
  let target: unknown
  reading.fields(value, at, {
    target: (one) => {
      target = one
    },
    published: (_, path) => reading.note(path, 'outside_port'),
    protocol: (one) => {
      protocol = one
    },
    app_protocol: (one, path) => {
      if (one === 'http') protocol = 'http'
      else reading.refuse(path, 'unsupported')
    },
    mode: (_, path) => reading.note(path, 'name_ignored'),
    name: (_, path) => reading.note(path, 'name_ignored'),
  })
  reading.add('ports', { protocol, port: target }, at)
}

function readVolume(reading: Reading, value: unknown, at: Path): undefined {
  const add = (path: unknown): undefined => {
    reading.add('volumes', path, at)
    reading.note(at, 'one_disk')
  }
  if (typeof value === 'string') {
    const parts = value.split(':')
    if (parts.length === 1) return add(value)
    const [source = '', path, mode, ...more] = parts
    if (/^[./~$]/.test(source)) return reading.refuse(at, 'host_path')
    if (more.length > 0 || (mode !== undefined && mode !== 'rw')) return reading.refuse(at, 'unsupported')
    return add(path)
  }
  let path: unknown
  reading.fields(value, at, {
    type: (one, where) => {
      if (one === 'bind') reading.refuse(where, 'host_path')
      else if (one !== 'volume') reading.refuse(where, 'unsupported')
    },
    source: () => {},
    target: (one) => {
      path = one
    },
  })
  add(path)
}
