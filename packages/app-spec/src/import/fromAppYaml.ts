import type { Beside } from './Beside.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { isRecord, type Pasted, plainValue, Reading, textOf } from './Reading.ts'
import { readSize } from './sizes.ts'

/** Reads the format of saved templates, as `formatAppYaml` writes it. */
export function fromAppYaml(value: unknown, lineOf: (path: Path) => number | undefined, beside: Beside = {}): Pasted {
  const reading = new Reading(lineOf, { beside })
  const take =
    (field: 'command' | 'args' | 'workdir' | 'image' | 'registry' | 'job' | 'sandbox') =>
    (one: unknown, path: Path): undefined =>
      reading.take(field, one, path)
  reading.fields(value, [], {
    image: take('image'),
    command: take('command'),
    args: take('args'),
    env: (env, path) => {
      if (!isRecord(env)) return reading.refuse(path, 'invalid')
      // Numbers and booleans are often written without quotes.
      for (const [name, one] of Object.entries(env))
        if (typeof one === 'string' || one instanceof Plain) reading.addEnv(name, textOf(one), [...path, name])
        else reading.refuse([...path, name], 'invalid')
    },
    secrets: (list, path) => reading.each(list, path, (one, at) => reading.add('secrets', one, at)),
    ports: (list, path) =>
      reading.each(list, path, (one, at) => {
        if (!isRecord(one)) return reading.refuse(at, 'invalid')
        const protocol = (['http', 'tcp', 'udp'] as const).find((name) => Object.hasOwn(one, name))
        if (!protocol) return reading.refuse(at, 'invalid')
        const { [protocol]: port, ...rest } = one
        for (const name of ['protocol', 'port']) if (Object.hasOwn(rest, name)) reading.refuse([...at, name], 'unsupported')
        reading.add('ports', { ...rest, protocol, port: plainValue(port) }, at)
      }),
    volumes: (list, path) => reading.each(list, path, (one, at) => reading.add('volumes', one, at)),
    files: (files, path) => {
      if (!isRecord(files)) return reading.refuse(path, 'invalid')
      for (const [target, one] of Object.entries(files))
        if (isRecord(one) && Object.keys(one).length === 1 && textOf(one.secret) !== '')
          reading.placeFile(target, { secret: textOf(one.secret) }, [...path, target])
        else if (typeof one === 'string' || one instanceof Plain) reading.placeFile(target, textOf(one), [...path, target])
        else reading.refuse([...path, target], 'invalid')
    },
    user: (one, path) => reading.take('user', one instanceof Plain ? one.text : one, path),
    workdir: take('workdir'),
    registry: take('registry'),
    job: take('job'),
    sandbox: take('sandbox'),
    sharedMemory: (one, path) => reading.take('sharedMemory', readSize(textOf(one), 1000) ?? one, path),
  })
  return reading.end('app')
}
