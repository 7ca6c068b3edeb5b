import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import { type AppSpec, PRESET_IDS, type PresetName, parseAppSpec, secretsProblem } from '@rackfair/core'
import { readPasted, shellWords } from '@rackfair/core/import'
import { cleanOrder, type Deployable, type DeployProgress, deployApp } from '@rackfair/sdk'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session } from '../session.ts'

export interface DeployFlags {
  image?: string
  port?: string[]
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
  const { what, env } = await deployableOf(session, preset, flags)
  const renter = await session.renter()
  const deployed = await deployApp(renter, orderId, what, { env, signal, onProgress: progressOf(session) })
  const ports = deployed.details?.ports ?? []
  const { ip } = await renter.api.order(String(orderId))
  const lines = ports
    .filter(({ protocol }) => protocol !== undefined)
    .map(({ protocol, port, outside }) => `${protocol} ${port} -> ${ip}:${outside}`)
  output.data({ ...deployed, visitUrl: deployed.visitUrl ?? null }, [deployed.visitUrl ?? text.noPage, ...lines].join('\n'))
}

export async function clean(session: Session, order: string): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  await session.confirm(text.commands.clean)
  await cleanOrder(await session.renter(), orderId, { signal, onProgress: progressOf(session) })
  output.data({ orderId }, text.cleaned(orderId))
}

/** Reads the application from the command line, as strictly as the web does. @throws CliError */
export async function deployableOf(
  session: Session,
  preset: string | undefined,
  flags: DeployFlags,
): Promise<{ what: Deployable; env: Record<string, string> }> {
  const { text } = session
  const named = [preset, flags.image, flags.file].filter((one) => one !== undefined)
  if (named.length !== 1) throw new CliError(EXIT.usage, 'bad_request', text.oneOf('PRESET, --image, --file'))
  const plain = valuesOf(session, flags.env ?? [])
  const secret = valuesOf(session, flags.secret ?? [])
  if (preset !== undefined) {
    if (!Object.hasOwn(PRESET_IDS, preset))
      throw new CliError(EXIT.usage, 'preset_unknown', text.badPreset(preset, Object.keys(PRESET_IDS).join(', ')))
    return { what: { preset: preset as PresetName }, env: { ...plain, ...secret } }
  }
  const app = flags.image === undefined ? await fromFile(session, flags.file as string) : fromImage(session, flags.image, flags)
  const job = app.job ?? (flags.job ? 'keep' : undefined)
  const spec: AppSpec = {
    ...app,
    env: { ...app.env, ...plain },
    secrets: [...new Set([...app.secrets, ...Object.keys(secret)])],
    ...(job ? { job } : {}),
  }
  const problem = secretsProblem(spec, secret)
  if (problem !== undefined) throw new CliError(EXIT.usage, 'env_not_allowed', text.badApp(problem))
  return { what: { app: checked(session, spec) }, env: secret }
}

function fromImage(session: Session, image: string, { port = [], command }: DeployFlags): AppSpec {
  const ports = port.map((one) => {
    const [, protocol = 'http', number = ''] = /^(?:(http|tcp|udp):)?(\d{1,5})$/.exec(one) ?? []
    if (number === '') throw new CliError(EXIT.usage, 'bad_request', session.text.badPort(one))
    return { protocol, port: Number(number) }
  })
  const args = command === undefined ? undefined : shellWords(command).words.map((word) => word.text)
  // Like docker, which leaves the defaults out of a name.
  const { spec } = readPasted(`docker run ${/^[\w./:@-]+$/.test(image) ? image : ''}`)
  return checked(session, { ...(spec ?? { image }), ports, ...(args === undefined ? {} : { args }) })
}

async function fromFile(session: Session, file: string): Promise<AppSpec> {
  const read = async () => {
    try {
      return file === '-' ? await readAll(process.stdin) : readFileSync(file, 'utf8')
    } catch (error) {
      throw new CliError(EXIT.notFound, 'file_not_found', (error as Error).message)
    }
  }
  const { spec, problems } = readPasted((await read()).slice(0, MAX_FILE_BYTES))
  if (!spec) throw new CliError(EXIT.usage, 'app_malformed', session.text.badApp(problemsOf(problems)))
  return spec
}

function checked({ text }: Session, spec: unknown): AppSpec {
  const read = parseAppSpec(JSON.parse(JSON.stringify(spec)))
  if (!read.spec) throw new CliError(EXIT.usage, 'app_malformed', text.badApp(problemsOf(read.problems)))
  return read.spec
}

const problemsOf = (problems: readonly { field: string; code: string; line?: number }[]): string =>
  problems.map(({ field, code, line }) => `${field}${line === undefined ? '' : ` (line ${line})`}: ${code}`).join(', ')

function valuesOf({ text }: Session, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    values.map((one) => {
      const at = one.indexOf('=')
      const name = at < 0 ? one : one.slice(0, at)
      const value = at < 0 ? process.env[name] : one.slice(at + 1)
      if (value === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw new CliError(EXIT.usage, 'env_not_allowed', text.badEnv(name))
      return [name, value]
    }),
  )
}

/** Shows the latest state on one line. */
export function progressOf({ output, text }: Session) {
  return ({ phase, message, details }: DeployProgress) => {
    const pull = details?.pull && `${details.pull.bytes} / ${details.pull.totalBytes}`
    output.progress(text.deploying(phase, pull ?? details?.buildLine ?? message ?? ''))
  }
}
