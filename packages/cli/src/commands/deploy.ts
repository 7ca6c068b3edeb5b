import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { AppProblem, AppSpec } from '@rackfair/app-spec/AppSpec'
import { secretsProblem } from '@rackfair/app-spec/appText'
import type { Beside } from '@rackfair/app-spec/import/Beside'
import { commandWords } from '@rackfair/app-spec/import/commandWords'
import type { AppNote } from '@rackfair/app-spec/import/Reading'
import { readEnvFile } from '@rackfair/app-spec/import/readEnvFile'
import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { fileSecrets, parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import type { Application } from '@rackfair/app-spec/services/Application'
import { valuesProblem } from '@rackfair/app-spec/services/applicationText'
import { pageLink, reachOf } from '@rackfair/rules/deployment/visitUrl'
import { seenOf } from '@rackfair/rules/deployment/waiting'
import { PRESET_IDS, type PresetName } from '@rackfair/rules/presets'
import { cleanOrder, type Deployable, type DeployProgress, deployApp } from '@rackfair/sdk'
import { type ReadBeside, readBeside } from '@rackfair/sdk/readBeside'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session } from '../session.ts'

export interface DeployFlags {
  image?: string
  port?: string[]
  http?: string
  file?: string
  env?: string[]
  secret?: string[]
  envFile?: string
  with?: string[]
  command?: string
  job?: boolean
  once?: string
}

const MAX_FILE_BYTES = 256 * 1024

export async function deploy(session: Session, order: string, preset: string | undefined, flags: DeployFlags): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  const { what, env, notes } = await deployableOf(session, preset, flags)
  const renter = await session.renter()
  const deployed = await deployApp(renter, orderId, what, { env, signal, once: flags.once, onProgress: progressOf(session) })
  const ports = deployed.details?.ports ?? []
  const placed = await renter.api.order(String(orderId))
  const lines = ports
    .filter(({ protocol }) => protocol !== undefined)
    .map(({ protocol, port, outside }) => `${protocol} ${port} -> ${placed.ip}:${outside}`)
  const link = deployed.visitUrl === undefined ? undefined : pageLink(placed, deployed)
  const reach = link === undefined ? undefined : reachOf(link, placed)
  output.data({ ...deployed, visitUrl: deployed.visitUrl ?? null, notes }, [link ?? text.noPage, ...lines].join('\n'))
  if (reach) output.note(reach.kind === 'secure' ? text.reach.secure(reach.host) : text.reach[reach.kind])
}

export async function clean(session: Session, order: string): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  await session.confirm(text.commands.clean)
  await cleanOrder(await session.renter(), orderId, { signal, onProgress: progressOf(session) })
  output.data({ orderId }, text.cleaned(orderId))
}

/**
 * Reads the application from the command line, as strictly as the web does, and of a file what lies beside it. What of a file has no effect,
 * or another one than elsewhere, is said on stderr and returned as notes.
 *
 * @throws CliError
 */
export async function deployableOf(
  session: Session,
  preset: string | undefined,
  flags: DeployFlags,
): Promise<{ what: Deployable; env: Record<string, string>; notes: readonly AppNote[] }> {
  const { text, output } = session
  const named = [preset, flags.image, flags.file].filter((one) => one !== undefined)
  if (named.length !== 1) throw new CliError(EXIT.usage, 'bad_request', text.oneOf('PRESET, --image, --file'))
  const plain = valuesOf(session, flags.env ?? [])
  const secret = valuesOf(session, flags.secret ?? [])
  const variables = flags.envFile === undefined ? undefined : readText(flags.envFile)
  const ofFile = readEnvFile(variables ?? '')
  if (preset !== undefined) {
    if (!Object.hasOwn(PRESET_IDS, preset))
      throw new CliError(EXIT.usage, 'preset_unknown', text.badPreset(preset, Object.keys(PRESET_IDS).join(', ')))
    return { what: { preset: preset as PresetName }, env: { ...ofFile, ...plain, ...secret }, notes: [] }
  }
  const { app, notes, values } =
    flags.image === undefined
      ? await fromFile(session, flags.file as string, flags, variables)
      : { app: fromImage(session, flags.image, flags), notes: [], values: ofFile }
  for (const { field, line, code } of notes) output.note(text.ofApp(field, line, text.app.notes[code]))
  if ('services' in app) {
    // Which of them would be meant is written in the file.
    const given = (['http', 'env', 'job'] as const).find((flag) => flags[flag] !== undefined)
    if (given) throw new CliError(EXIT.usage, 'bad_request', text.notOfServices(`--${given}`))
    const sealed = { ...values, ...secret }
    const lacking = valuesProblem(app, sealed)
    if (lacking !== undefined) throw new CliError(EXIT.usage, 'env_not_allowed', text.badApp(lacking))
    return { what: { application: app }, env: sealed, notes }
  }
  const job = app.job ?? (flags.job ? 'keep' : undefined)
  const sealed = { ...withoutNames(values, Object.keys(plain)), ...secret }
  const others = [...fileSecrets(app.files), ...(app.registry ? [app.registry.password] : [])]
  const names = Object.keys(sealed).filter((name) => !others.includes(name))
  // What is given here counts, in the way in which it is given.
  const isPlain = ([name]: [string, string]) => !names.includes(name)
  const spec: AppSpec = {
    ...app,
    env: Object.fromEntries(Object.entries({ ...app.env, ...plain }).filter(isPlain)),
    secrets: [...new Set([...app.secrets.filter((name) => !Object.hasOwn(plain, name)), ...names])],
    ports: flags.http === undefined ? app.ports : withPage(session, app, flags.http),
    ...(job ? { job } : {}),
  }
  if (spec.ports.length > 0 && spec.ports.every(({ protocol }) => protocol !== 'http')) output.note(text.noHttp)
  const problem = secretsProblem(spec, sealed)
  if (problem !== undefined) throw new CliError(EXIT.usage, 'env_not_allowed', text.badApp(problem))
  return { what: { app: checked(session, spec) }, env: sealed, notes }
}

const withoutNames = (values: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** The ports with another one as the page that the link of the order opens. */
function withPage({ text }: Session, { ports }: AppSpec, http: string): AppSpec['ports'] {
  if (!/^\d{1,5}$/.test(http)) throw new CliError(EXIT.usage, 'bad_request', text.badPort(http))
  const port = Number(http)
  const page = ports.find((one) => one.protocol !== 'udp' && one.port === port)
  const others = ports
    .filter((one) => one !== page)
    .map((one) => (one.protocol === 'http' ? { protocol: 'tcp' as const, port: one.port } : one))
  return [page?.protocol === 'http' ? page : { protocol: 'http', port }, ...others]
}

function fromImage(session: Session, image: string, { port = [], command }: DeployFlags): AppSpec {
  const { text } = session
  const ports = port.map((one) => {
    const [, protocol = 'http', number = ''] = /^(?:(http|tcp|udp):)?(\d{1,5})$/.exec(one) ?? []
    if (number === '') throw new CliError(EXIT.usage, 'bad_request', text.badPort(one))
    return { protocol, port: Number(number) }
  })
  const read = command === undefined ? undefined : commandWords(command)
  if (read?.isBroken)
    throw new CliError(EXIT.usage, 'app_malformed', text.badApp(text.ofApp('--command', undefined, text.app.problems.no_shell)))
  return checked(session, { image, ports, ...(read ? { args: read.words } : {}) })
}

interface FromFile {
  app: AppSpec | Application
  notes: readonly AppNote[]
  /** Of its secrets, as far as they lie beside it. */
  values: Record<string, string>
}

async function fromFile(session: Session, file: string, flags: DeployFlags, variables: string | undefined): Promise<FromFile> {
  const { text, output } = session
  const read = (file === '-' ? await readAll(process.stdin) : readText(file)).slice(0, MAX_FILE_BYTES)
  const folder = file === '-' ? undefined : dirname(file)
  const given = givenOf(session, flags.with ?? [], read)
  const found = readBeside(read, { folder, variables, given })
  const { spec, application, problems, notes, values, unread, hasVariables } = found
  if (hasVariables && folder !== undefined) output.note(text.fromEnvFile(join(folder, '.env')))
  const app = spec ?? application
  if (!app) throw malformed(session, problems, lackingOf(session, found))
  const more = unread.filter(({ name }) =>
    found.wanted.some((one) => one.name === name && (one.kind === 'folder' || one.kind === 'secret')),
  )
  for (const line of [...lackingOf(session, found), ...more.map(({ name, why }) => text.unread[why](name))]) output.note(line)
  return { app, notes, values }
}

/** What `--with` gives, each thing as what the file asks for under its name. */
function givenOf({ text }: Session, values: readonly string[], file: string): Beside {
  const given = { files: {}, variables: {}, images: {} } as Record<'files' | 'variables' | 'images', Record<string, string>>
  for (const one of values) {
    // What is asked for may follow from what was given before.
    const { wanted } = readPasted(file, given)
    const name = wanted.map((its) => its.name).find((its) => one.startsWith(`${its}=`))
    if (name === undefined) throw new CliError(EXIT.usage, 'bad_request', text.badWith(one))
    const value = one.slice(name.length + 1)
    for (const { kind } of wanted.filter((its) => its.name === name))
      if (kind === 'image') given.images[name] = value
      else if (kind === 'variable') given.variables[name] = value
      else given.files[name] = readText(value)
  }
  return given
}

/** What is to be done about each thing that the file asks for and nobody has given. */
function lackingOf({ text }: Session, { wanted, unread }: ReadBeside): string[] {
  return wanted.flatMap(({ kind, name, isGiven, usual }) => {
    if (isGiven || usual !== undefined || kind === 'folder' || kind === 'secret') return []
    const why = unread.find((one) => one.name === name)?.why
    return [why ? text.unread[why](name) : text.giveIt[kind](name)]
  })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(EXIT.notFound, 'file_not_found', (error as Error).message)
  }
}

function checked(session: Session, spec: unknown): AppSpec {
  const read = parseAppSpec(JSON.parse(JSON.stringify(spec)))
  if (!read.spec) throw malformed(session, read.problems)
  return read.spec
}

function malformed({ text }: Session, problems: readonly AppProblem[], more: readonly string[] = []): CliError {
  const lines = problems.map(({ field, line, code }) => text.ofApp(field, line, text.app.problems[code]))
  return new CliError(EXIT.usage, 'app_malformed', text.badApp([...lines, ...more].join('\n')))
}

function valuesOf({ text }: Session, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    values.map((one) => {
      const at = one.indexOf('=')
      const name = at < 0 ? one : one.slice(0, at)
      const value = at < 0 ? process.env[name] : one.slice(at + 1)
      if (value === undefined || name === '') throw new CliError(EXIT.usage, 'env_not_allowed', text.badEnv(name))
      return [name, value]
    }),
  )
}

/** Shows the latest state on one line. */
export function progressOf({ output, text }: Session) {
  return ({ phase, message, details }: DeployProgress) => {
    const pull = details?.pull && `${details.pull.bytes} / ${details.pull.totalBytes}`
    const waiting = phase === 'Starting' && details?.waiting
    if (waiting) {
      const { seen, at } = seenOf(waiting)
      return output.progress(text.deploying(phase, text.waiting[seen](waiting.port, at.join(', '))))
    }
    output.progress(text.deploying(phase, pull ?? details?.buildLine ?? message ?? ''))
  }
}
