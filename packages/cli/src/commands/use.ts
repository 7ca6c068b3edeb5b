import { once } from 'node:events'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { quote, readFunds } from '@rackfair/sdk'
import {
  download,
  type FollowedLine,
  logsOfServices,
  ofService,
  logs as readLogs,
  usage as readUsage,
  exec as runCommand,
  runJob,
  type ServiceLine,
  terminal,
  upload,
  type Workspace,
} from '@rackfair/sdk/workspace'
import { CliError, EXIT } from '../exitCodes.ts'
import { createPartFile } from '../partFile.ts'
import { orderIdOf, type Session, usd } from '../session.ts'
import { logLine } from '../terminal/logLine.ts'
import { table, toJson } from '../terminal/output.ts'
import { servicePrefix } from '../terminal/servicePrefix.ts'
import { type DeployFlags, deployableOf, progressOf } from './deploy.ts'
import {
  amountOf,
  chooseMachine,
  type HardwareFlags,
  hardwareOf,
  type SearchFlags,
  type TermFlags,
  termOf,
  wholeOf,
} from './market.ts'

/** Names one of several services of the order. */
export interface ServiceFlags {
  service?: string
}

async function workspaceOf(session: Session, orderId: bigint, { service }: ServiceFlags): Promise<Workspace> {
  const workspace = await session.workspace(orderId)
  return service === undefined ? workspace : ofService(workspace, service)
}

export interface LogsFlags extends ServiceFlags {
  follow?: boolean
  tail?: string
  raw?: boolean
  time?: boolean
  cursor?: string
}

export async function logs(session: Session, order: string, flags: LogsFlags): Promise<void> {
  const { text, output, signal } = session
  const orderId = orderIdOf(order, text)
  const workspace = await workspaceOf(session, orderId, flags)
  const services = await servicesOf(session, orderId, flags)
  const decoder = new TextDecoder()
  const options = {
    ...{ follow: flags.follow === true, signal, cursor: flags.cursor },
    ...(flags.tail === undefined ? {} : { tail: wholeOf(session, flags.tail) }),
    onState: (state: string) => output.progress(state === 'waiting' ? text.reconnecting : ''),
  }
  const prefix = services.length > 1 ? servicePrefix(services, { isColoured: coloursOf(flags) }) : () => ''
  const lines: AsyncIterable<ServiceLine> =
    services.length > 1 ? logsOfServices(workspace, services, options) : withoutService(readLogs(workspace, options))
  /** Of whom a line is that is not ended. */
  let open: string | undefined
  for await (const line of lines) {
    const { time, source, bytes, more, gap, cursor, service } = line
    if (output.json) {
      await write(
        `${toJson({ time: Math.round(time / 1000), source, ...(service === undefined ? {} : { service }), text: decoder.decode(bytes), more, gap, ...(cursor === undefined ? {} : { cursor }) })}\n`,
      )
      continue
    }
    if (gap) output.note(text.gap)
    const whose = `${service} ${source}`
    if (open !== undefined && open !== whose && services.length > 1) await write('\n')
    await write(logLine(line, { ...flags, ...(open === whose ? {} : { prefix: prefix(service) }) }))
    open = more ? whose : undefined
  }
}

async function* withoutService(lines: AsyncIterable<FollowedLine>): AsyncGenerator<ServiceLine> {
  for await (const line of lines) yield { ...line, service: undefined }
}

/** The services whose logs are printed together: all of the order, unless one is named or a place in the log of one. */
async function servicesOf(session: Session, orderId: bigint, { service, cursor }: LogsFlags): Promise<readonly string[]> {
  if (service !== undefined || (cursor !== undefined && !cursor.includes(':'))) return []
  const { api } = await session.market()
  try {
    const { details } = await api.orderDeployment(String(orderId))
    return details?.services?.map((one) => one.service) ?? []
  } catch (error) {
    // Nothing was deployed: the machine may still have said something.
    if ((error as { code?: string }).code === 'not_found') return []
    throw error
  }
}

const coloursOf = ({ raw }: LogsFlags): boolean => process.stdout.isTTY === true && !raw && process.env.NO_COLOR === undefined

export interface ExecFlags extends ServiceFlags {
  interactive?: boolean
  tty?: boolean
  workdir?: string
  env?: string[]
}

/** Returns the exit code of the command. */
export async function exec(session: Session, order: string, command: readonly string[], flags: ExecFlags): Promise<number> {
  const { text, signal } = session
  const orderId = orderIdOf(order, text)
  const words = withoutDashes(command)
  if (flags.tty && !(process.stdin.isTTY && process.stdout.isTTY)) throw new CliError(EXIT.usage, 'bad_request', text.needsTty)
  const workspace = await workspaceOf(session, orderId, flags)
  if (flags.tty) return inTerminal(session, workspace, words)
  return runCommand(workspace, words, {
    ...{ onStdout: (bytes) => write(bytes), onStderr: (bytes) => write(bytes, process.stderr), signal },
    ...(flags.interactive ? { input: process.stdin } : {}),
    ...(flags.workdir === undefined ? {} : { workingDir: flags.workdir }),
    ...(flags.env
      ? { env: Object.fromEntries(flags.env.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string])) }
      : {}),
  })
}

/** Passes keys and screen through unchanged; this terminal is restored however the session ends. */
async function inTerminal({ output, signal }: Session, workspace: Workspace, command: readonly string[]): Promise<number> {
  const { stdin, stdout } = process
  const size = () => ({ columns: clamp(stdout.columns), rows: clamp(stdout.rows) })
  let onResize = () => {}
  try {
    await terminal(workspace, {
      ...{ ...size(), command: [...command], input: stdin, signal, onBytes: (bytes) => write(bytes) },
      onOpen(resize) {
        output.progress('')
        stdin.setRawMode(true)
        onResize = () => resize(size())
        stdout.on('resize', onResize)
      },
    })
    return EXIT.ok
  } finally {
    stdout.off('resize', onResize)
    stdin.setRawMode(false)
    stdin.pause()
  }
}

/** Also accepts `exec 12 -- ls`, as other tools write it. */
const withoutDashes = (command: readonly string[]) => (command[0] === '--' ? command.slice(1) : command)

const clamp = (side: number | undefined): number => Math.min(500, Math.max(2, side ?? 24))

interface CopyFlags extends ServiceFlags {
  replace?: boolean
}

/** `ORDER:/path` is on an order, everything else on this machine; `-` is stdin or stdout. */
export async function cp(session: Session, from: string, to: string, flags: CopyFlags): Promise<void> {
  const [source, target] = [remoteOf(from), remoteOf(to)]
  if ((source === undefined) === (target === undefined)) throw new CliError(EXIT.usage, 'bad_request', session.text.cpUsage)
  if (target) await put(session, from, target, flags)
  else if (source) await get(session, source, to, flags)
}

async function put(session: Session, file: string, { order, path }: Remote, flags: CopyFlags): Promise<void> {
  const { text, output, signal } = session
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new CliError(EXIT.notFound, 'file_not_found', file)
  if (found.isDirectory()) throw new CliError(EXIT.usage, 'bad_request', text.folderLocal(file))
  const workspace = await workspaceOf(session, orderIdOf(order, text), flags)
  const replace = flags.replace === true
  const whole = path.endsWith('/') ? path + basename(file) : path
  const onProgress = (done: number) => output.progress(text.copying(done, found.size))
  await upload(workspace, whole, createReadStream(file), { size: found.size, replace, onProgress, signal })
  output.data({ path: whole, bytes: found.size }, text.copied(found.size))
}

/** Atomic: the file is complete, or not there at all. */
async function get(session: Session, { order, path }: Remote, to: string, flags: CopyFlags): Promise<void> {
  const { text, output, signal } = session
  const replace = flags.replace === true
  const orderId = orderIdOf(order, text)
  if (to === '-') {
    await download(await workspaceOf(session, orderId, flags), path, { onBytes: (bytes) => write(bytes), signal })
    return
  }
  let file = statSync(to, { throwIfNoEntry: false })?.isDirectory() ? join(to, basename(path)) : to
  if (existsSync(file) && !replace) throw new CliError(EXIT.refused, 'file_exists', text.isThere(file))
  const part = createPartFile(file, text)
  const workspace = await workspaceOf(session, orderId, flags)
  try {
    let done = 0
    let size: number | undefined
    const got = await download(workspace, path, {
      onBegin: (begin) => {
        size = begin.size
      },
      async onBytes(bytes) {
        done += bytes.length
        await part.write(bytes)
        output.progress(text.copying(done, size))
      },
      signal,
    })
    if (got.type === 'tar' && !file.endsWith('.tar')) file += '.tar'
    await part.keep(file, replace)
    const missing = got.notIncluded > 0 ? ` ${text.notIncluded(got.notIncluded)}` : ''
    output.data({ path: file, ...got, size: got.size ?? null }, `${file}: ${text.copied(got.bytes)}${missing}`)
  } finally {
    part.discard()
  }
}

interface Remote {
  order: string
  path: string
}

function remoteOf(name: string): Remote | undefined {
  const match = /^(\d{1,19}):(\/.*)$/s.exec(name)
  return match ? { order: match[1] as string, path: match[2] as string } : undefined
}

export async function usage(session: Session, order: string, flags: ServiceFlags & { watch?: boolean }): Promise<void> {
  const { text, output, signal } = session
  const workspace = await workspaceOf(session, orderIdOf(order, text), flags)
  do {
    const { now, limits } = await readUsage(workspace, { signal })
    const rows = [
      [text.usage.cores, now.cores.toFixed(2), limits.cores === undefined ? '-' : String(limits.cores)],
      [text.usage.memory, bytesOf(now.memoryBytes), bytesOf(limits.memoryBytes)],
      [text.usage.disk, bytesOf(now.diskBytes), bytesOf(limits.diskBytes)],
      [text.usage.network, `${bytesOf(now.receivedPerSecond)}/s / ${bytesOf(now.sentPerSecond)}/s`, '-'],
      ...now.gpus.map((gpu, index) => [text.usage.gpu(index), `${gpu.usePercent ?? '-'} %`, limits.gpus[index]?.model ?? '-']),
    ]
    output.data({ now, limits }, table(text.heads.usage, rows))
  } while (flags.watch && !signal.aborted)
}

function bytesOf(bytes: number | undefined): string {
  if (bytes === undefined) return '-'
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

export interface RunFlags extends SearchFlags, HardwareFlags, TermFlags, DeployFlags {
  cheapest?: boolean
  order?: string
  preset?: string
  maxPrice?: string
  keep?: boolean
  output?: string[]
}

/** Returns the exit code of the command. What was bought for it is cancelled, however it ends. */
export async function run(session: Session, command: readonly string[], flags: RunFlags): Promise<number> {
  const { text, output, signal } = session
  const words = withoutDashes(command)
  const preset = flags.preset ?? (flags.image === undefined && flags.file === undefined ? 'ubuntu' : undefined)
  const { what, env } = await deployableOf(session, preset, flags)
  if ('application' in what) throw new CliError(EXIT.usage, 'bad_request', text.runsOne)
  if (words.length === 0 && 'preset' in what) throw new CliError(EXIT.usage, 'bad_request', text.noCommand)
  const outputs = outputsOf(flags.output ?? [], text)
  const hardware = hardwareOf(session, flags)
  if (hardware && flags.order !== undefined)
    throw new CliError(EXIT.usage, 'bad_request', text.oneOf('--order, --min-class / --max-age'))
  const on = flags.order === undefined ? await choose(session, flags) : { orderId: orderIdOf(flags.order, text) }
  const renter = await session.renter()
  const files = outputs.map(({ remote, local }) => ({ remote, local, part: createPartFile(local, text) }))
  try {
    const result = await runJob(
      renter,
      {
        on,
        ...('app' in what ? { app: what, ...(words.length > 0 ? { command: words } : {}) } : { app: what, command: words }),
        outputs: Object.fromEntries(files.map(({ remote, part }) => [remote, (bytes: Uint8Array) => part.write(bytes)])),
      },
      {
        ...{ env, signal, onSent: session.onSent, onProgress: progressOf(session), keep: flags.keep === true },
        hardware,
        ...('maxPriceWei' in on ? { maxPriceWei: on.maxPriceWei } : {}),
        onStdout: (bytes) => write(bytes),
        onStderr: (bytes) => write(bytes, process.stderr),
        onBought({ orderId, feeWei, hash }) {
          session.paid(`${text.bought(orderId, usd(feeWei), hash)} ${text.orderGoesOn(orderId)}`)
          output.note(text.bought(orderId, usd(feeWei), hash))
        },
        onCancelled({ orderId, refundedWei, hash }) {
          session.paid(text.cancelled(orderId, usd(refundedWei), hash))
          output.note(text.cancelled(orderId, usd(refundedWei), hash))
        },
      },
    )
    for (const { part, local } of files) await part.keep(local)
    const changed = result.cancelled ?? result.bought
    if (changed) await session.untilIndexed(changed.block)
    return result.exitCode
  } finally {
    for (const { part } of files) part.discard()
  }
}

/** What to fetch afterwards, and where to. @throws CliError before anything is bought: for a file that is there, or that cannot be written */
function outputsOf(given: readonly string[], text: Session['text']): { remote: string; local: string }[] {
  const outputs = given.map((one) => {
    const [, remote, local] = /^(\/[^=]*)=(.+)$/s.exec(one) ?? []
    if (remote === undefined || local === undefined) throw new CliError(EXIT.usage, 'bad_request', text.badOutput(one))
    return { remote, local }
  })
  for (const [at, { remote, local }] of outputs.entries()) {
    if (outputs.findIndex((other) => other.local === local || other.remote === remote) !== at)
      throw new CliError(EXIT.usage, 'bad_request', text.badOutput(`${remote}=${local}`))
    if (existsSync(local)) throw new CliError(EXIT.refused, 'file_exists', text.outputIsThere(local))
  }
  return outputs
}

/** Chooses a machine for the command; never pays more than was confirmed. */
async function choose(session: Session, flags: RunFlags) {
  const term = termOf(session, flags)
  const maxPriceWei = amountOf(session, flags.maxPrice)
  const { name, ...machine } = await chooseMachine(session, undefined, { ...flags, term }, hardwareOf(session, flags))
  const renter = await session.renter()
  const { feeWei, duration } = await quote(renter, { ...machine, term })
  if (maxPriceWei !== undefined && maxPriceWei < feeWei) return { ...machine, term: duration, maxPriceWei }
  const { creditWei } = await readFunds(renter)
  await session.confirm(session.text.confirmBuy(name, session.text.time(duration), usd(feeWei), usd(creditWei)))
  return { ...machine, term: duration, maxPriceWei: feeWei }
}

/** Resolves when there is room for more. If the reader has exited, as `head` does, this program ends like any other. */
async function write(chunk: Uint8Array | string, to: NodeJS.WritableStream = process.stdout): Promise<void> {
  if (!to.write(chunk)) await once(to, 'drain')
}
