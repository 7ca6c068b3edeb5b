import type { Path } from './paths.ts'
import { isOn, isRecord, type Reading, textOf } from './Reading.ts'
import { unknownValue } from './unknownValue.ts'

/** What a compose file has at its top for its services to name. */
export type FileSources = Readonly<Record<string, unknown>>

interface Use {
  name: string
  target: string
  source: Record<string, unknown>
}

/** A secret is a file whose text travels sealed. */
export function readSecret(reading: Reading, value: unknown, at: Path, sources: FileSources): undefined {
  const use = readUse(reading, value, at, sources)
  if (!use) return
  const { name, source } = use
  const target = use.target.startsWith('/') ? use.target : `/run/secrets/${use.target || name}`
  const variable = textOf(source.environment)
  if (variable !== '') return reading.addSecretFile(target, variable, reading.beside.variables?.[variable], at)
  const file = textOf(source.file)
  reading.addSecretFile(target, name, file === '' ? undefined : reading.want('secret', file, at), at)
}

/** A config is a file with a text. */
export function readConfig(reading: Reading, value: unknown, at: Path, sources: FileSources): undefined {
  const use = readUse(reading, value, at, sources)
  if (!use) return
  const { name, source } = use
  const target = use.target || `/${name}`
  if (typeof source.content === 'string') return reading.addFile(target, source.content, at)
  const variable = textOf(source.environment)
  if (variable === '') return reading.takeFile(textOf(source.file) || name, target, at)
  const text = reading.want('variable', variable, at)
  return text === undefined ? reading.lacks(unknownValue(`\${${variable}}`), at) : reading.addFile(target, text, at)
}

function readUse(reading: Reading, value: unknown, at: Path, sources: FileSources): Use | undefined {
  const use = { name: typeof value === 'string' ? value : '', target: '' }
  if (typeof value !== 'string')
    reading.fields(value, at, {
      source: (one) => {
        use.name = textOf(one)
      },
      target: (one) => {
        use.target = textOf(one)
      },
      uid: 'groups',
      gid: 'groups',
      mode: 'groups',
    })
  const source = Object.hasOwn(sources, use.name) ? sources[use.name] : undefined
  // Of one that stands in a place of its own, only the name is known.
  if (source === undefined || (!isRecord(source) && source !== null)) return reading.refuse(at, 'other_file')
  if (isRecord(source) && !isOn(source.external) && Object.keys(source).length === 0) return reading.refuse(at, 'other_file')
  return { ...use, source: isRecord(source) ? source : {} }
}
