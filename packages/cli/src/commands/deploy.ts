import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import type { AppProblem, AppSpec } from '@rackfair/app-spec/AppSpec'
import { secretsProblem } from '@rackfair/app-spec/appText'
import { commandWords } from '@rackfair/app-spec/import/commandWords'
import type { AppNote } from '@rackfair/app-spec/import/Reading'
import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import type { Application } from '@rackfair/app-spec/services/Application'
import { valuesProblem } from '@rackfair/app-spec/services/applicationText'
import { pageLink, reachOf } from '@rackfair/rules/deployment/visitUrl'
import { seenOf } from '@rackfair/rules/deployment/waiting'
import { PRESET_IDS, type PresetName } from '@rackfair/rules/presets'
import { cleanOrder, type Deployable, type DeployProgress, deployApp } from '@rackfair/sdk'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session } from '../session.ts'

export interface DeployFlags {
  image?: string
  port?: string[]
  http?: string
  file?: string
  env?: string[]
  secret?: string[]
  command?: string
  job?: boolean
}

const MAX_FILE_BYTES = 256 * 1024

export async function deploy(session: Session, order: string, preset: string | undefined, flags: DeployFlags): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  const { what, env, notes } = await deployableOf(session, preset, flags)
  const renter = await session.renter()
  const deployed = await deployApp(renter, orderId, what, { env, signal, onProgress: progressOf(session) })
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
 * Reads the application from the command line, as strictly as the web does. What of a file has no effect, or another one than elsewhere, is
 * said on stderr and returned as notes.
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
  if (preset !== undefined) {
    if (!Object.hasOwn(PRESET_IDS, preset))
      throw new CliError(EXIT.usage, 'preset_unknown', text.badPreset(preset, Object.keys(PRESET_IDS).join(', ')))
    return { what: { preset: preset as PresetName }, env: { ...plain, ...secret }, notes: [] }
  }
  const { app, notes } =
    flags.image === undefined
      ? await fromFile(session, flags.file as string)
      : { app: fromImage(session, flags.image, flags), notes: [] }
  for (const { field, line, code } of notes) output.note(text.ofApp(field, line, text.app.notes[code]))
  if ('services' in app) {
    // Which of them would be meant is written in the file.
    const given = (['http', 'env', 'job'] as const).find((flag) => flags[flag] !== undefined)
    if (given) throw new CliError(EXIT.usage, 'bad_request', text.notOfServices(`--${given}`))
    const lacking = valuesProblem(app, secret)
    if (lacking !== undefined) throw new CliError(EXIT.usage, 'env_not_allowed', text.badApp(lacking))
    return { what: { application: app }, env: secret, notes }
  }
  const job = app.job ?? (flags.job ? 'keep' : undefined)
  const names = Object.keys(secret).filter((name) => name !== app.registry?.password)
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
  const problem = secretsProblem(spec, secret)
  if (problem !== undefined) throw new CliError(EXIT.usage, 'env_not_allowed', text.badApp(problem))
  return { what: { app: checked(session, spec) }, env: secret, notes }
}

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

async function fromFile(session: Session, file: string): Promise<{ app: AppSpec | Application; notes: readonly AppNote[] }> {
  const read = async () => {
    try {
      return file === '-' ? await readAll(process.stdin) : readFileSync(file, 'utf8')
    } catch (error) {
      throw new CliError(EXIT.notFound, 'file_not_found', (error as Error).message)
    }
  }
  const { spec, application, problems, notes } = readPasted((await read()).slice(0, MAX_FILE_BYTES))
  const app = spec ?? application
  if (!app) throw malformed(session, problems)
  return { app, notes }
}

function checked(session: Session, spec: unknown): AppSpec {
  const read = parseAppSpec(JSON.parse(JSON.stringify(spec)))
  if (!read.spec) throw malformed(session, read.problems)
  return read.spec
}

function malformed({ text }: Session, problems: readonly AppProblem[]): CliError {
  const lines = problems.map(({ field, line, code }) => text.ofApp(field, line, text.app.problems[code]))
  return new CliError(EXIT.usage, 'app_malformed', text.badApp(lines.join('\n')))
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
