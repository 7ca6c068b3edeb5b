import type { Readable } from 'node:stream'
import type { PseudoTtyInfo, ServerChannel, Session, WindowChangeInfo } from 'ssh2'
import { toRenter } from '../../foundation/toRenter.ts'
import { createResizer } from '../../runtime/latestSize.ts'
import { LOGIN_SHELL } from '../../runtime/loginShell.ts'
import type { ExecProcess, TerminalStream } from '../../runtime/Runtime.ts'
import type { SshConnection } from './createConnection.ts'
import { inSession } from './inSession.ts'
import type { Served } from './Served.ts'

/** What a client may set, as Debian's sshd has it. */
const ENVIRONMENT = /^(?:LANG|LC_[A-Z]+|COLORTERM)$/
const PLAIN = /^[\w.@:+-]{1,64}$/
const MAX_VARIABLES = 16
const MAX_SIDE = 500
const COLUMNS = 80
const ROWS = 24
/** As sshd answers for a command that could not be begun. */
const EXIT_NOT_STARTED = 255

/** A shell, a command or a file transfer, in the container of an order and with its user's rights. */
export function serveSession(session: Session, { orderId, service, inside, addresses, connection: { onEnd } }: Served): void {
  const env: Record<string, string> = { SSH_CONNECTION: addresses }
  let pty: PseudoTtyInfo | undefined
  let resize: ((columns: number, rows: number) => Promise<void>) | undefined
  session.on('error', () => {})
  session.on('env', (accept, _reject, { key, val }) => {
    if (ENVIRONMENT.test(key) && PLAIN.test(val) && Object.keys(env).length <= MAX_VARIABLES) env[key] = val
    // A refusal would only be a line in the log of the client.
    accept?.()
  })
  session.on('pty', (accept, _reject, info) => {
    pty = info
    accept?.()
  })
  session.on('window-change', (accept, _reject, { cols, rows }: WindowChangeInfo) => {
    void resize?.(side(cols, COLUMNS), side(rows, ROWS))
    accept?.()
  })

  const run = async (channel: ServerChannel, line: string | undefined) => {
    survive(channel)
    try {
      const command = line ?? LOGIN_SHELL[2]
      if (!pty) return await runCommand(channel, () => inside.exec(orderId, inSession(command), { env, service }), onEnd)
      const term = PLAIN.test(pty.term ?? '') ? pty.term : 'xterm'
      const set = Object.entries({ ...env, TERM: term }).map(([name, value]) => `export ${name}='${value}'; `)
      const script = set.join('') + command
      const size = { columns: side(pty.cols, COLUMNS), rows: side(pty.rows, ROWS) }
      const terminal = await inside.terminal(orderId, inSession(script), size, service)
      resize = createResizer(terminal)
      await runTerminal(channel, terminal, onEnd)
    } catch (error) {
      channel.stderr.write(`${toRenter(error)}\r\n`)
      finish(channel, EXIT_NOT_STARTED)
    }
  }
  session.on('shell', (accept) => void run(accept(), undefined))
  session.on('exec', (accept, _reject, { command }) => void run(accept(), command))
  session.on('subsystem', (accept, reject, { name }) => {
    if (name !== 'sftp') return reject?.()
    const channel = accept()
    survive(channel)
    runCommand(channel, () => inside.fileServer(orderId, service), onEnd).catch((error: unknown) => {
      channel.stderr.write(`${toRenter(error)}\r\n`)
      finish(channel, EXIT_NOT_STARTED)
    })
  })
}

async function runCommand(
  channel: ServerChannel,
  start: () => Promise<ExecProcess>,
  onEnd: SshConnection['onEnd'],
): Promise<void> {
  let hasLeft = false
  channel.once('close', () => {
    hasLeft = true
  })
  const { stdin, stdout, stderr, exitCode, closeTerminals } = await start()
  const stop = () => {
    // What came before the end is not fed to the command after it.
    channel.unpipe(stdin)
    stdin.destroy()
    // A client that reads nothing would keep its outputs from ending.
    for (const output of [stdout, stderr]) output.unpipe().resume()
    closeTerminals()
  }
  const forget = onEnd(stop)
  channel.once('close', stop)
  if (hasLeft) return stop()
  // A command need not read its input to the end.
  stdin.on('error', () => channel.unpipe(stdin).resume())
  if (!stdin.destroyed) channel.pipe(stdin)
  stdout.pipe(channel, { end: false })
  stderr.pipe(channel.stderr, { end: false })
  await Promise.all([ended(stdout), ended(stderr)])
  const code = await exitCode
  forget()
  channel.off('close', stop)
  finish(channel, code)
}

async function runTerminal(
  channel: ServerChannel,
  { stream, exitCode }: TerminalStream,
  onEnd: SshConnection['onEnd'],
): Promise<void> {
  const stop = () => void stream.destroy()
  channel.once('close', stop)
  stream.on('error', () => {})
  const forget = onEnd(stop)
  if (!stream.destroyed) {
    channel.pipe(stream)
    stream.pipe(channel, { end: false })
  }
  const code = await exitCode
  forget()
  finish(channel, code)
}

/** Without listeners the process would end with the channel. */
function survive(channel: ServerChannel): void {
  for (const stream of [channel, channel.stderr]) stream.on('error', () => {})
}

function finish(channel: ServerChannel, code: number): void {
  if (channel.destroyed) return
  channel.exit(code)
  channel.end()
}

const ended = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    stream.once('close', resolve).once('end', resolve)
  })

/** A window of no size is one that nobody knows. */
const side = (given: number | undefined, otherwise: number): number => Math.min(MAX_SIDE, Math.max(2, given || otherwise))
