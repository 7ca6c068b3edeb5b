import type { AppPort, AppProblem, JobEnd, Sandbox } from '@rackfair/app-spec/AppSpec'
import { secretsProblem } from '@rackfair/app-spec/appText'
import { commandLine, commandWords } from '@rackfair/app-spec/import/commandWords'
import type { AppDraft } from '@rackfair/app-spec/import/Reading'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import type { FormReading } from '../../../entities/application/readServices.ts'

export interface EnvRow {
  /** Tells the rows apart while they are edited. */
  key: number
  name: string
  value: string
  secret: boolean
}

export interface PortRow {
  key: number
  protocol: AppPort['protocol']
  port: string
  ready: string
  /** Kept as it was read; the form does not change it. */
  access?: 'owner'
}

export interface VolumeRow {
  key: number
  path: string
}

export interface FileRow {
  key: number
  path: string
  text: string
  /** What its text is called where it travels sealed. */
  secret: string | undefined
}

/** The form as it is typed: everything is text, and may be wrong. */
export interface AppForm {
  image: string
  command: string
  args: string
  /** Without the arguments that the image names; counts where neither command nor arguments are given. */
  noArgs: boolean
  env: EnvRow[]
  ports: PortRow[]
  volumes: VolumeRow[]
  files: FileRow[]
  user: string
  workdir: string
  username: string
  password: string
  /** Runs to its end, and what becomes of the order then. */
  job: JobEnd | undefined
  sandbox: Sandbox | undefined
  /** Bytes; kept as it was read, the form does not change it. */
  sharedMemory: number | undefined
}

export const EMPTY_FORM: AppForm = {
  ...{ image: '', command: '', args: '', user: '', workdir: '', username: '', password: '' },
  ...{ noArgs: false, env: [], ports: [], volumes: [], files: [], job: undefined, sandbox: undefined, sharedMemory: undefined },
}

/** Name of the value that is the password of the registry. */
const PASSWORD = 'REGISTRY_PASSWORD'

let keys = 0
export const nextKey = (): number => ++keys

/** Fills the form with what was read; values of secrets that are known or typed already stay. */
export function formOf(draft: AppDraft, before: AppForm = EMPTY_FORM, known: Readonly<Record<string, string>> = {}): AppForm {
  const typed = new Map([
    ...before.env.filter(({ secret }) => secret).map(({ name, value }): [string, string] => [name, value]),
    ...before.files.flatMap(({ secret, text }): [string, string][] => (secret === undefined ? [] : [[secret, text]])),
    ...Object.entries(known),
  ])
  return {
    image: draft.image ?? '',
    // An empty command leaves the arguments, as Docker does without an entry point.
    command: commandLine(draft.command?.length === 0 ? (draft.args ?? []) : (draft.command ?? [])),
    args: commandLine(draft.command?.length === 0 ? [] : (draft.args ?? [])),
    noArgs: draft.args?.length === 0,
    env: [
      ...Object.entries(draft.env ?? {}).map(([name, value]) => ({ key: nextKey(), name, value, secret: false })),
      ...(draft.secrets ?? []).map((name) => ({ key: nextKey(), name, value: typed.get(name) ?? '', secret: true })),
    ],
    ports: (draft.ports ?? []).map(({ protocol, port, ready = '', access }) => ({
      ...{ key: nextKey(), protocol, port: String(port), ready },
      ...(access ? { access } : {}),
    })),
    volumes: (draft.volumes ?? []).map((path) => ({ key: nextKey(), path })),
    files: Object.entries(draft.files ?? {}).map(([path, file]) => ({
      ...{ key: nextKey(), path },
      ...(typeof file === 'string'
        ? { text: file, secret: undefined }
        : { text: typed.get(file.secret) ?? '', secret: file.secret }),
    })),
    user: draft.user ?? '',
    workdir: draft.workdir ?? '',
    username: draft.registry?.username ?? '',
    password: before.password,
    job: draft.job,
    sandbox: draft.sandbox,
    sharedMemory: draft.sharedMemory,
  }
}

/** Reads the form. Problems name the fields as the specification does, with the place in the form for lists. */
export function readForm(form: AppForm): FormReading {
  const problems: AppProblem[] = []
  const words = (field: 'command' | 'args'): string[] | undefined => {
    const { words: read, isBroken } = commandWords(form[field])
    if (isBroken) problems.push({ field, code: 'no_shell' })
    if (read.length > 0) return read
    return field === 'args' && form.noArgs ? [] : undefined
  }
  const rows = form.env.filter(({ name, value }) => name !== '' || value !== '')
  const names = new Set<string>()
  rows.forEach(({ key, name, secret, value }) => {
    if (names.has(name)) problems.push({ field: `row.${key}`, code: 'duplicate' })
    else if (secret && value === '') problems.push({ field: `row.${key}`, code: 'no_value' })
    names.add(name)
  })
  const ports = form.ports.filter(({ port }) => port !== '')
  const volumes = form.volumes.filter(({ path }) => path !== '')
  const files = form.files.filter(({ path, text }) => path !== '' || text !== '')
  const paths = new Set<string>()
  for (const { key, path, secret, text } of files) {
    if (paths.has(path)) problems.push({ field: `row.${key}`, code: 'duplicate' })
    else if (secret !== undefined && text === '' && !names.has(secret)) problems.push({ field: `row.${key}`, code: 'no_value' })
    paths.add(path)
  }
  const { spec, problems: found } = parseAppSpec({
    image: form.image.trim(),
    command: words('command'),
    args: words('args'),
    env: Object.fromEntries(rows.filter(({ secret }) => !secret).map(({ name, value }) => [name, value])),
    secrets: rows.filter(({ secret }) => secret).map(({ name }) => name),
    ports: ports.map(({ protocol, port, ready, access }) => ({
      ...{ protocol, port: /^\d{1,5}$/.test(port) ? Number(port) : port },
      ...(protocol === 'http' && ready !== '' ? { ready } : {}),
      ...(protocol === 'http' && access ? { access } : {}),
    })),
    volumes: volumes.map(({ path }) => path),
    files: Object.fromEntries(files.map(({ path, text, secret }) => [path, secret === undefined ? text : { secret }])),
    ...(form.user === '' ? {} : { user: form.user }),
    ...(form.workdir === '' ? {} : { workdir: form.workdir }),
    ...(form.username === '' ? {} : { registry: { username: form.username, password: PASSWORD } }),
    ...(form.job ? { job: form.job } : {}),
    ...(form.sandbox ? { sandbox: form.sandbox } : {}),
    ...(form.sharedMemory === undefined ? {} : { sharedMemory: form.sharedMemory }),
  })
  for (const problem of found) {
    const [field = '', at = ''] = problem.field.split('.')
    const plain = rows.filter(({ secret }) => !secret)
    const row =
      field === 'env'
        ? plain.find(({ name }) => `env.${name}` === problem.field)
        : field === 'secrets'
          ? rows.filter(({ secret }) => secret)[Number(at)]
          : field === 'ports'
            ? ports[Number(at)]
            : field === 'volumes'
              ? volumes[Number(at)]
              : files.find(({ path }) => `files.${path.slice(0, 200)}` === problem.field)
    problems.push(row && at !== '' ? { ...problem, field: `row.${row.key}` } : problem)
  }
  const values = Object.fromEntries([
    ...files.flatMap(({ secret, text }) => (secret === undefined ? [] : [[secret, text]])),
    // One that a variable has as well is given there.
    ...rows.filter(({ secret }) => secret).map(({ name, value }) => [name, value]),
  ]) as Record<string, string>
  if (form.username !== '') {
    values[PASSWORD] = form.password
    if (form.password === '') problems.push({ field: 'registry.password', code: 'no_value' })
  }
  if (spec && problems.length === 0 && secretsProblem(spec, values) !== undefined)
    problems.push({ field: 'env', code: 'too_large' })
  return { values, problems, ...(spec && problems.length === 0 ? { spec } : {}) }
}
