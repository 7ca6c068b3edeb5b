import type { AppProblem, AppProblemCode, AppSpec } from '../AppSpec.ts'
import { parseAppSpec } from '../parseAppSpec.ts'

/** What was understood and does nothing here, or is always so. The screens have a sentence for each. */
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

/** A pasted text as it was read. */
export interface Pasted {
  kind: PastedKind
  /** What was understood of it, also where other parts are refused; without a list or a value where there is none. */
  draft: AppDraft
  /** Only without problems. */
  spec?: AppSpec
  problems: AppProblem[]
  notes: AppNote[]
}

/** A specification that is being put together. */
export type AppDraft = { -readonly [Field in keyof AppSpec]?: AppSpec[Field] }

export type Path = readonly (string | number)[]
type Handlers = Readonly<Record<string, (value: unknown, path: Path) => void>>

/** Collects what is read out of a foreign form. Every field has a handler or is refused by its name. */
export class Reading {
  readonly draft: AppDraft = {}
  private readonly problems: AppProblem[] = []
  private readonly notes: AppNote[] = []
  /** Where a field of the specification stands in the text. */
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

  /** Takes a field of the specification and remembers where it stood. */
  take<Field extends keyof AppDraft>(field: Field, value: unknown, path: Path): undefined {
    // Its form is checked at the end, as that of every specification.
    this.draft[field] = value as AppDraft[Field]
    this.origins.set(field, path)
  }

  /** Adds to a list of the specification. */
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

  /** Hands every field to its handler. What has none is not supported; what is no record is malformed. */
  fields(value: unknown, path: Path, handlers: Handlers): undefined {
    if (!isRecord(value)) return this.refuse(path, 'invalid')
    for (const [name, one] of Object.entries(value)) {
      const handle = Object.hasOwn(handlers, name) ? handlers[name] : undefined
      if (handle) handle(one, [...path, name])
      else this.refuse([...path, name], 'unsupported')
    }
  }

  /** Hands every entry of a list to a handler. */
  each(value: unknown, path: Path, handle: (one: unknown, path: Path) => void): undefined {
    if (!Array.isArray(value)) return this.refuse(path, 'invalid')
    value.forEach((one: unknown, index) => {
      handle(one, [...path, index])
    })
  }

  end(kind: PastedKind): Pasted {
    const { spec, problems } = parseAppSpec(this.draft)
    // What was refused where it stands is not refused once more for what it left behind.
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

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
