import type { AppProblem, AppProblemCode, AppSpec } from '../AppSpec.ts'
import { parseAppSpec } from '../parseAppSpec.ts'

/** Parts that were understood but have no effect here, or always apply. The screens have a text for each. */
export const APP_NOTES = [
  'always_restarted',
  'runs_once',
  'machine_decides',
  'name_ignored',
  'outside_port',
  'walls',
  'became_secret',
  'probe_ignored',
  'one_disk',
] as const
export type AppNoteCode = (typeof APP_NOTES)[number]

export interface AppNote {
  field: string
  code: AppNoteCode
  line?: number
}

export type PastedKind = 'app' | 'kubernetes' | 'compose' | 'docker'

/** The result of reading a pasted text. */
export interface Pasted {
  kind: PastedKind
  /** The parts that were understood, even if others are refused; without the lists and values that it does not have. */
  draft: AppDraft
  /** Present only without problems. */
  spec?: AppSpec
  problems: AppProblem[]
  notes: AppNote[]
}

/** A specification under construction. */
export type AppDraft = { -readonly [Field in keyof AppSpec]?: AppSpec[Field] }

export type Path = readonly (string | number)[]
type Handlers = Readonly<Record<string, (value: unknown, path: Path) => void>>

/** Collects the fields of a foreign format. Every field has a handler or is refused by name. */
export class Reading {
  readonly draft: AppDraft = {}
  private readonly problems: AppProblem[] = []
  private readonly notes: AppNote[] = []
  /** Path in the text from which each field of the specification was taken. */
  private readonly origins = new Map<string, Path>()
  private readonly lineOf: (path: Path) => number | undefined

  constructor(lineOf: (path: Path) => number | undefined) {
    this.lineOf = lineOf
  }

  refuse(path: Path, code: AppProblemCode): undefined {
    this.problems.push(this.at(path, { code }))
    return undefined
  }

  note(path: Path, code: AppNoteCode): undefined {
    this.notes.push(this.at(path, { code }))
  }

  /** Sets a field of the specification and records its path. */
  take<Field extends keyof AppDraft>(field: Field, value: unknown, path: Path): undefined {
    // Validated at the end, like every specification.
    this.draft[field] = value as AppDraft[Field]
    this.origins.set(field, path)
  }

  /** Appends to a list of the specification. */
  add(field: 'ports' | 'volumes' | 'secrets', value: unknown, path: Path): undefined {
    const list: readonly unknown[] = this.draft[field] ?? []
    this.origins.set(`${field}.${list.length}`, path)
    this.draft[field] = [...list, value] as never
  }

  addEnv(name: string, value: string, path: Path): undefined {
    if (Object.hasOwn(this.draft.env ?? {}, name)) this.refuse(path, 'duplicate')
    this.draft.env = { ...this.draft.env, [name]: value }
    this.origins.set(`env.${name}`, path)
  }

  addSecret(name: string, path: Path): undefined {
    this.add('secrets', name, path)
    this.note(path, 'became_secret')
  }

  /** Passes every field to its handler. A field without a handler is unsupported; a value that is not an object is malformed. */
  fields(value: unknown, path: Path, handlers: Handlers): undefined {
    if (!isRecord(value)) return this.refuse(path, 'invalid')
    for (const [name, one] of Object.entries(value)) {
      const handle = Object.hasOwn(handlers, name) ? handlers[name] : undefined
      if (handle) handle(one, [...path, name])
      else this.refuse([...path, name], 'unsupported')
    }
  }

  /** Passes every entry of a list to a handler. */
  each(value: unknown, path: Path, handle: (one: unknown, path: Path) => void): undefined {
    if (!Array.isArray(value)) return this.refuse(path, 'invalid')
    value.forEach((one: unknown, index) => {
      handle(one, [...path, index])
    })
  }

  end(kind: PastedKind): Pasted {
    const { spec, problems } = parseAppSpec(this.draft)
    // A field refused above is missing from the draft: do not report that as well.
    const own = this.problems.length > 0 ? problems.filter(({ code }) => code !== 'missing') : problems
    for (const { field, code } of own) this.problems.push(this.at(this.originOf(field), { code }))
    const { draft, notes } = this
    return {
      ...{ kind, draft, problems: this.problems, notes },
      ...(spec && this.problems.length === 0 ? { spec } : {}),
    }
  }

  private originOf(field: string): Path {
    for (let name = field; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      const origin = this.origins.get(name)
      if (origin) return origin
    }
    return [field]
  }

  private at<Code>(path: Path, one: { code: Code }): { field: string; code: Code; line?: number } {
    const line = this.lineOf(path)
    return { field: path.join('.'), ...one, ...(line === undefined ? {} : { line }) }
  }
}

/** A value as text, empty for what is none. `String` of an untrusted object can throw. */
export const textOf = (value: unknown): string => (typeof value === 'object' || value === undefined ? '' : String(value))

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
