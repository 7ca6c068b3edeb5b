import { APP_LIMITS, type AppFile, type AppPort, type AppProblem, type AppProblemCode, type AppSpec } from '../AppSpec.ts'
import { normalPath, parseAppSpec } from '../parseAppSpec.ts'
import { isPlainText } from '../plainText.ts'
import type { Application } from '../services/Application.ts'
import { isLikelySecret } from '../services/shareable.ts'
import type { Beside, Wanted } from './Beside.ts'
import type { AppNoteCode } from './notes.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { readEnvFile } from './readEnvFile.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { readSize } from './sizes.ts'
import { asWritten, isUnknown, variableOf, variablesOf } from './unknownValue.ts'

export interface AppNote {
  field: string
  code: AppNoteCode
  line?: number
}

export type PastedKind = 'app' | 'kubernetes' | 'compose' | 'docker' | 'sdl'

/** The result of reading a pasted text. */
export interface Pasted {
  kind: PastedKind
  /** The parts that were understood, even if others are refused; without the lists and values that it does not have. */
  draft: AppDraft
  /** Present only without problems, and of one container. */
  spec?: AppSpec
  /** As they are called here; present only where there are several. */
  services?: readonly string[]
  /** Present only without problems, and of several services. */
  application?: Application
  problems: AppProblem[]
  notes: AppNote[]
  /** What it names and does not have, each once, given or not. */
  wanted: Wanted[]
  /** Values of its secrets that were given with it. */
  values: Record<string, string>
}

/** A specification under construction. */
export type AppDraft = { -readonly [Field in keyof AppSpec]?: AppSpec[Field] }

type Handler = (value: unknown, path: Path) => void
/** A field is read by its handler, or has the fate of its setting. */
export type Handlers = Readonly<Record<string, Handler | Setting>>

/** Collects the fields of a foreign format. Every field has a handler or a fate, or is refused by name. */
export class Reading {
  readonly draft: AppDraft = {}
  /** Whether `x-` begins the name of a field that means nothing to anybody but its author. */
  readonly takesExtensions: boolean
  /** Of paths of volumes: what lies there, as the text calls it. */
  readonly volumeSources = new Map<string, string>()
  /** Of secrets that stand for one variable of the user's: which. */
  readonly variables = new Map<string, string>()
  readonly beside: Beside
  /** Of texts that stand for what was given: with it filled in. */
  readonly filled: Map<string, string>
  /** Values of variables that travel sealed, as far as they are known. */
  readonly sealed = new Map<string, string>()
  /** Values of secret files, as far as they are known, by what the values are called. */
  fileValues = new Map<string, string>()
  private wanted: Wanted[] = []
  private problems: AppProblem[] = []
  private notes: AppNote[] = []
  /** Path in the text from which each field of the specification was taken. */
  private readonly origins = new Map<string, Path>()
  private readonly lineOf: (path: Path) => number | undefined

  constructor(
    lineOf: (path: Path) => number | undefined,
    {
      takesExtensions = false,
      beside = {},
      filled = new Map(),
    }: { takesExtensions?: boolean; beside?: Beside; filled?: Map<string, string> } = {},
  ) {
    this.lineOf = lineOf
    this.takesExtensions = takesExtensions
    this.beside = beside
    this.filled = filled
  }

  /** Collects one of several services, and says of it what there is to say beside the others. */
  part(): Reading {
    const { takesExtensions, beside, filled } = this
    const part = new Reading(this.lineOf, { takesExtensions, beside, filled })
    part.problems = this.problems
    part.notes = this.notes
    part.wanted = this.wanted
    part.fileValues = this.fileValues
    return part
  }

  get said(): Pick<Pasted, 'problems' | 'notes' | 'wanted'> {
    return { problems: this.problems, notes: this.notes, wanted: this.wanted }
  }

  get isRefused(): boolean {
    return this.problems.length > 0
  }

  refuse(path: Path, code: AppProblemCode): undefined {
    this.problems.push(this.at(path, { code }))
    return undefined
  }

  /** Refuses a text that depends on variables, which are asked for. */
  lacks(text: string, path: Path): undefined {
    for (const name of variablesOf(text)) this.want('variable', name, path)
    return this.refuse(path, 'no_value')
  }

  /** Asks for what stands beside the text, and answers it where it was given. */
  want(kind: Wanted['kind'], name: string, path: Path, usual?: string): string | undefined {
    const given = { variable: this.beside.variables, image: this.beside.images }[kind as string] ?? this.beside.files ?? {}
    const written = asWritten(name)
    const known = Object.hasOwn(given, written) ? given[written] : undefined
    if (!this.wanted.some((one) => one.kind === kind && one.name === written)) {
      const { field, line } = this.at(path, { code: undefined })
      this.wanted.push({
        ...{ kind, name: written, isGiven: known !== undefined },
        ...(usual === undefined ? {} : { usual }),
        ...(line === undefined ? { field } : { field, line }),
      })
    }
    return known
  }

  /** A file of the user's machine, which is asked for under this name. */
  takeFile(name: string, target: string, path: Path): undefined {
    const text = this.want('file', name, path)
    if (text === undefined) return this.refuse(path, 'host_file')
    return isPlainText(text) ? this.addFile(target, text, path) : this.refuse(path, 'invalid')
  }

  /** A file with this text, or one that consists of a secret. What becomes of it is said. */
  addFile(target: string, file: AppFile, path: Path): undefined {
    if (isUnknown(target)) return this.lacks(target, path)
    if (typeof file === 'string' && isUnknown(file)) return this.lacks(file, path)
    this.placeFile(target, file, path)
    this.note(
      path,
      typeof file === 'string' ? 'file_signed' : this.fileValues.has(file.secret) ? 'values_sealed' : 'became_secret',
    )
  }

  placeFile(target: string, file: AppFile, path: Path): void {
    this.draft.files = { ...this.draft.files, [target]: file }
    this.origins.set(`files.${target.slice(0, 200)}`, path)
  }

  /** A file whose text travels sealed, as the value that is called `value`. */
  addSecretFile(target: string, value: string, known: string | undefined, path: Path): undefined {
    if (known !== undefined && !isPlainText(known)) return this.refuse(path, 'invalid')
    if (known !== undefined) this.fileValues.set(value, known)
    return this.addFile(target, { secret: value }, path)
  }

  /** A file of variables, whose values travel sealed. Those that are there already count. */
  addValuesFile(name: string, path: Path, isRaw = false): undefined {
    const text = this.want('values', name, path)
    if (text === undefined) return this.note(path, 'file_not_read')
    for (const [variable, value] of Object.entries(readEnvFile(text, { isRaw, variables: this.beside.variables ?? {} })))
      if (this.sealed.has(variable) || !this.hasVariable(variable)) this.addSealed(variable, value, path)
    this.note(path, 'values_sealed')
  }

  /** A variable whose value is known and travels sealed. */
  addSealed(variable: string, value: string, path: Path): undefined {
    if (!isPlainText(value)) return this.refuse(path, 'invalid')
    this.secretVariable(variable, path)
    this.sealed.set(variable, value)
  }

  private hasVariable = (name: string): boolean =>
    Object.hasOwn(this.draft.env ?? {}, name) || (this.draft.secrets ?? []).includes(name)

  note(path: Path, code: AppNoteCode): undefined {
    this.notes.push(this.at(path, { code }))
  }

  /** Gives a setting the fate that it has in every format; each entry of a list its own. A value that says nothing has none. */
  settle(setting: Setting, value: unknown, path: Path): undefined {
    if (saysNothing(value)) return
    const decide: (value: string) => ReturnType<(typeof SETTINGS)[Setting]> = SETTINGS[setting]
    if (Array.isArray(value) && decide.length > 0) {
      for (const [index, one] of value.entries()) this.settle(setting, one, [...path, index])
      return
    }
    const fate = decide(textOf(value))
    if (!fate) return
    if ('note' in fate) this.note(path, fate.note)
    else this.refuse(path, fate.refuse)
  }

  /** A handler that settles a setting, unless it has the value that it has anyway. */
  unless(setting: Setting, ...defaults: string[]): Handler {
    return (value, path) => {
      if (!defaults.includes(textOf(value))) this.settle(setting, value, path)
    }
  }

  /** Sets a field of the specification and records its path. What is not known here has no value. */
  take<Field extends keyof AppDraft>(field: Field, value: unknown, path: Path): undefined {
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && isUnknown(one))
    if (texts.length > 0) return this.lacks(texts.join(' '), path)
    // Validated at the end, like every specification.
    this.draft[field] = value as AppDraft[Field]
    this.origins.set(field, path)
  }

  /** Appends to a list of the specification. */
  add(field: 'ports' | 'volumes' | 'secrets', value: unknown, path: Path): undefined {
    if (typeof value === 'string' && isUnknown(value)) return this.lacks(value, path)
    const list: readonly unknown[] = this.draft[field] ?? []
    this.origins.set(`${field}.${list.length}`, path)
    this.draft[field] = [...list, value] as never
  }

  /** A port that is said twice is one; that it speaks HTTP is said once. */
  addPort(port: AppPort, path: Path): undefined {
    const ports = this.draft.ports ?? []
    const isUdp = port.protocol === 'udp'
    const index = ports.findIndex((one) => one.port === port.port && (one.protocol === 'udp') === isUdp)
    const known = ports[index]
    if (!known) return this.add('ports', port, path)
    if (port.protocol === 'http') this.draft.ports = ports.with(index, { ...known, ...port })
  }

  /** The size of /dev/shm; none is what the order has anyway. */
  takeSharedMemory(text: string, thousands: 1000 | 1024, path: Path): undefined {
    if (/^-?0*$/.test(text)) return
    if (isUnknown(text)) return this.note(path, 'machine_decides')
    const bytes = readSize(text, thousands)
    if (bytes === undefined) return this.refuse(path, 'invalid')
    this.take('sharedMemory', Math.max(bytes, APP_LIMITS.sharedMemory.least), path)
  }

  /** A folder that is said twice is one. */
  addVolume(path: string, at: Path, source = ''): undefined {
    this.volumeSources.set(normalPath(path), source)
    if (!this.draft.volumes?.some((one) => one.replace(/\/+$/, '') === path.replace(/\/+$/, ''))) this.add('volumes', path, at)
  }

  /** The last value of a name counts. One that is not known here becomes a secret, whose value the user gives. */
  addEnv(name: string, value: string, path: Path): undefined {
    if (isUnknown(name)) return this.lacks(name, path)
    if (isUnknown(value)) {
      const known = this.filled.get(value)
      const variable = variableOf(value)
      const isWhole = known === undefined || known === this.beside.variables?.[variable ?? '']
      if (variable !== undefined && isWhole) this.variables.set(name, variable)
      return known === undefined ? this.addSecret(name, path) : this.addSealed(name, known, path)
    }
    this.sealed.delete(name)
    if (this.draft.secrets) this.draft.secrets = this.draft.secrets.filter((one) => one !== name)
    this.draft.env = { ...this.draft.env, [name]: value }
    this.origins.set(`env.${name}`, path)
  }

  addSecret(name: string, path: Path): undefined {
    if (isUnknown(name)) return this.lacks(name, path)
    this.secretVariable(name, path)
    this.note(path, 'became_secret')
  }

  /** What opens something, by its name, travels sealed, also where its value stands in the text: others see what is signed. */
  sealLikely(): void {
    for (const [name, value] of Object.entries(this.draft.env ?? {})) {
      if (!isLikelySecret(name, value)) continue
      const path = this.originOf(`env.${name}`)
      this.addSealed(name, value, path)
      this.note(path, 'values_sealed')
    }
  }

  private secretVariable(name: string, path: Path): void {
    const { [name]: _, ...others } = this.draft.env ?? {}
    if (this.draft.env) this.draft.env = others
    this.sealed.delete(name)
    if (!this.draft.secrets?.includes(name)) this.add('secrets', name, path)
  }

  /** Passes every field to its handler. A field without a handler is unsupported; null is a field that is not there. */
  fields(value: unknown, path: Path, handlers: Handlers): undefined {
    if (!isRecord(value)) return this.refuse(path, 'invalid')
    for (const [name, one] of Object.entries(value)) {
      const handle = Object.hasOwn(handlers, name) ? handlers[name] : undefined
      if (one === null || (this.takesExtensions && name.startsWith('x-'))) continue
      if (typeof handle === 'function') handle(one, [...path, name])
      else if (handle) this.settle(handle, one, [...path, name])
      else this.refuse([...path, name], 'unsupported')
    }
  }

  /** Passes every entry of a list to a handler. */
  each(value: unknown, path: Path, handle: Handler): undefined {
    if (!Array.isArray(value)) return this.refuse(path, 'invalid')
    value.forEach((one: unknown, index) => {
      handle(one, [...path, index])
    })
  }

  end(kind: PastedKind): Pasted {
    // In the format of saved templates it was said of each value what it is.
    if (kind !== 'app') this.sealLikely()
    if (this.draft.secrets?.length === 0) delete this.draft.secrets
    const { spec, problems } = parseAppSpec(this.draft)
    // A field refused above is missing from the draft: do not report that as well.
    const own = this.problems.length > 0 ? problems.filter(({ code }) => code !== 'missing') : problems
    for (const { field, code } of own) this.problems.push(this.at(this.originOf(field), { code }))
    const { draft, notes, wanted } = this
    const values = Object.fromEntries([...this.sealed, ...this.fileValues])
    return {
      ...{ kind, draft, problems: this.problems, notes, wanted, values },
      ...(spec && this.problems.length === 0 ? { spec } : {}),
    }
  }

  /** Where a field of the specification stands in the text; undefined for one that was not taken from there. */
  placeOf(field: string): Path | undefined {
    return this.originOf(field, [])
  }

  private originOf(field: string, otherwise: Path = [field]): Path {
    for (let name = field; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      const origin = this.origins.get(name)
      if (origin) return origin
    }
    // A list as a whole: where its last entry stands.
    return [...this.origins].findLast(([name]) => name.startsWith(`${field}.`))?.[1] ?? otherwise
  }

  private at<Code>(path: Path, one: { code: Code }): { field: string; code: Code; line?: number } {
    const line = this.lineOf(path)
    return { field: asWritten(path.join('.')), ...one, ...(line === undefined ? {} : { line }) }
  }
}

/** The value of a scalar as it was written, empty for what is none. */
export function textOf(value: unknown): string {
  if (value instanceof Plain) return value.text
  return typeof value === 'string' ? value : ''
}

/** The value without how it was written. */
export const plainValue = (value: unknown): unknown => (value instanceof Plain ? value.value : value)

/** Whether a switch is on; compose and Docker also take it as text. */
export const isOn = (value: unknown): boolean => /^(?:true|yes|on|y|1|t)$/i.test(textOf(value))

/** Null, empty and off, and what holds nothing else: what says nothing wherever it stands. */
export function saysNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  if (value instanceof Plain) return value.value === false
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.values(value).every(saysNothing)
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Plain)
