import type { AppPort } from '../AppSpec.ts'
import type { Beside } from './Beside.ts'
import { commandWords } from './commandWords.ts'
import { withUsualHttp } from './foreignPorts.ts'
import { isFilePath, takeMount } from './foreignVolumes.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { isOn, isRecord, type Pasted, Reading, saysNothing, textOf } from './Reading.ts'

/** The name of the value that is the password of the registry. */
const PASSWORD = 'REGISTRY_PASSWORD'

/** Whether a file is Akash's SDL: a compose file has neither profiles nor a deployment beside its services. */
export const isAkash = (value: unknown): boolean =>
  isRecord(value) && 'services' in value && (isRecord(value.profiles) || isRecord(value.deployment))

/** Reads an SDL file of Akash with one service. */
export function fromAkash(value: unknown, lineOf: (path: Path) => number | undefined, beside: Beside = {}): Pasted {
  const reading = new Reading(lineOf, { beside })
  let used: [name: string, service: unknown] | undefined
  reading.fields(value, [], {
    version: () => {},
    endpoints: 'network',
    // Price and place were chosen with the order.
    profiles: 'resources',
    deployment: (deployment, path) => readDeployment(reading, deployment, path),
    services: (services, path) => {
      if (!isRecord(services)) return reading.refuse(path, 'invalid')
      const [first, second] = Object.entries(services)
      if (!first) return reading.refuse(path, 'missing')
      if (second) reading.refuse([...path, second[0]], 'one_service')
      used = first
    },
  })
  if (used) readService(reading, used[1], ['services', used[0]])
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('sdl')
}

function readDeployment(reading: Reading, deployment: unknown, at: Path): undefined {
  if (!isRecord(deployment)) return reading.refuse(at, 'invalid')
  for (const [service, places] of Object.entries(deployment))
    for (const [place, one] of Object.entries(isRecord(places) ? places : {}))
      if (isRecord(one) && !saysNothing(one.count ?? null) && textOf(one.count) !== '1')
        reading.settle('copies', one.count, [...at, service, place, 'count'])
}

function readService(reading: Reading, service: unknown, at: Path): undefined {
  const words =
    (field: 'command' | 'args') =>
    (value: unknown, path: Path): undefined => {
      if (saysNothing(value)) return
      if (typeof value === 'string') {
        const { words: read, isBroken } = commandWords(value)
        return isBroken ? reading.refuse(path, 'no_shell') : reading.take(field, read, path)
      }
      if (!Array.isArray(value) || value.some((one) => typeof one !== 'string' && !(one instanceof Plain)))
        return reading.refuse(path, 'invalid')
      reading.take(field, value.map(textOf), path)
    }
  reading.fields(service, at, {
    image: (one, path) => reading.take('image', textOf(one), path),
    command: words('command'),
    args: words('args'),
    env: (env, path) =>
      reading.each(env, path, (one, where) => {
        const text = textOf(one)
        const equals = text.indexOf('=')
        if (equals < 0) return text === '' ? reading.refuse(where, 'invalid') : reading.addSecret(text, where)
        reading.addEnv(text.slice(0, equals), text.slice(equals + 1), where)
      }),
    expose: (list, path) => reading.each(list, path, (one, where) => readExpose(reading, one, where)),
    params: (params, path) =>
      reading.fields(params, path, {
        storage: (storage, where) => {
          if (!isRecord(storage)) return reading.refuse(where, 'invalid')
          for (const [name, one] of Object.entries(storage)) {
            if (!isRecord(one) || typeof one.mount !== 'string') continue
            const mount = { source: name, target: one.mount, isHost: false, isReadOnly: isOn(one.readOnly) }
            if (isFilePath(one.mount)) reading.takeFile(name, one.mount, [...where, name])
            else takeMount(reading, mount, [...where, name])
          }
        },
        permissions: 'account',
        tee: 'platform',
      }),
    credentials: (one, path) => {
      if (!isRecord(one)) return reading.refuse(path, 'invalid')
      // The password stands in the file, which is signed and seen by others; here it travels sealed.
      reading.take('registry', { username: textOf(one.username), password: PASSWORD }, path)
      reading.note(path, 'became_secret')
    },
    dependencies: 'otherContainer',
    depends_on: 'otherContainer',
  })
}

function readExpose(reading: Reading, entry: unknown, at: Path): undefined {
  let port: unknown
  let outside: unknown
  let protocol: AppPort['protocol'] = 'tcp'
  let isGlobal = false
  reading.fields(entry, at, {
    port: (one) => {
      port = one
    },
    as: (one) => {
      outside = one
    },
    proto: (one, path) => {
      const name = textOf(one).toLowerCase()
      if (name === 'udp') protocol = 'udp'
      else if (name === 'http') protocol = 'http'
      else if (name !== 'tcp') reading.refuse(path, 'unsupported')
    },
    accept: 'names',
    http_options: 'network',
    to: (list, path) =>
      reading.each(list, path, (one, where) =>
        reading.fields(one, where, {
          global: (value) => {
            if (isOn(value)) isGlobal = true
          },
          service: () => {},
          ip: 'network',
        }),
      ),
  })
  if (!isRecord(entry)) return
  const inside = textOf(port)
  if (!/^\d{1,5}$/.test(inside)) return reading.refuse(at, 'invalid')
  if (!isGlobal) return reading.note(at, 'closed_port')
  // Akash serves a page at port 80 of its own names, and gives every other port another number.
  const isPage =
    protocol === 'tcp' && (textOf(outside) || inside) === '80' && !reading.draft.ports?.some((one) => one.protocol === 'http')
  reading.addPort({ protocol: isPage ? 'http' : protocol, port: Number(inside) }, at)
}
