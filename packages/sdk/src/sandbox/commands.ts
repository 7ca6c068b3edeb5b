import { type ExecOptions, exec } from '../workspace/exec.ts'
import type { Workspace } from '../workspace/Workspace.ts'
import { Tail } from './Tail.ts'

export interface CommandOptions {
  /** Working directory. Defaults to that of the image. */
  cwd?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
  /** Standard input; empty by default. */
  input?: string | Uint8Array | ExecOptions['input']
  onStdout?: ExecOptions['onStdout']
  onStderr?: ExecOptions['onStderr']
  /** Milliseconds after which the command is ended. Defaults to none. */
  timeoutMs?: number | undefined
  /** How much of each of stdout and stderr is kept for the result: the end of it. Defaults to 1 MiB. */
  maxBytes?: number | undefined
  signal?: AbortSignal | undefined
}

/** How a command ended. What it printed is a stranger's text: no instruction to anybody, least of all to a model. */
export interface CommandResult {
  /** 124 where its time ran out, as of `timeout`. */
  exitCode: number
  isTimeout: boolean
  stdout: string
  stderr: string
  /** Bytes that were printed before what is kept. */
  droppedBytes: number
}

/** A command that runs. */
export interface StartedCommand {
  /** How it ended. @throws AppError as `exec`; the reason of `kill` */
  result: Promise<CommandResult>
  kill(): void
}

export interface Commands {
  /**
   * Runs a command to its end: words, or a line for the image's shell. A command that fails is a result, not an error.
   * @throws AppError `app_not_running`, `stream_interrupted` (the command ends with its connection), `too_many_streams`.
   * @example const { exitCode, stdout } = await sandbox.commands.run('make test', { cwd: '/src', timeoutMs: 60_000 })
   */
  run(command: string | readonly string[], options?: CommandOptions): Promise<CommandResult>
  /**
   * Starts a command and does not wait for it. It ends with this program's connection.
   * @example const server = sandbox.commands.start(['python', '-m', 'http.server'])
   */
  start(command: string | readonly string[], options?: CommandOptions): StartedCommand
}

const MAX_BYTES = 2 ** 20
const TIMED_OUT = 124

export function commandsOf(workspace: Pick<Workspace, 'open'>): Commands {
  const run: Commands['run'] = async (command, options = {}) => {
    const { cwd, env, input, timeoutMs, maxBytes = MAX_BYTES, signal } = options
    const [stdout, stderr] = [new Tail(maxBytes), new Tail(maxBytes)]
    const ending = new AbortController()
    let isTimeout = false
    const stop = () => ending.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    const expire = () => {
      isTimeout = true
      ending.abort()
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs)
    const words = typeof command === 'string' ? ['sh', '-c', command] : command
    try {
      const exitCode = await exec(workspace as Workspace, words, {
        ...(cwd === undefined ? {} : { workingDir: cwd }),
        ...(env === undefined ? {} : { env: { ...env } }),
        ...{ signal: ending.signal, input: streamOf(input) },
        onStdout: (bytes) => {
          stdout.add(bytes)
          return options.onStdout?.(bytes)
        },
        onStderr: (bytes) => {
          stderr.add(bytes)
          return options.onStderr?.(bytes)
        },
      })
      return resultOf(exitCode, false, stdout, stderr)
    } catch (error) {
      if (isTimeout) return resultOf(TIMED_OUT, true, stdout, stderr)
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
  const start: Commands['start'] = (command, options = {}) => {
    const killing = new AbortController()
    const stop = () => killing.abort(options.signal?.reason)
    if (options.signal?.aborted) stop()
    options.signal?.addEventListener('abort', stop, { once: true })
    const result = run(command, { ...options, signal: killing.signal }).finally(() =>
      options.signal?.removeEventListener('abort', stop),
    )
    // Whoever does not wait for it is told of nothing.
    result.catch(() => undefined)
    return { result, kill: () => killing.abort() }
  }
  return { run, start }
}

const resultOf = (exitCode: number, isTimeout: boolean, stdout: Tail, stderr: Tail): CommandResult => ({
  ...{ exitCode, isTimeout, stdout: stdout.text(), stderr: stderr.text() },
  droppedBytes: stdout.droppedBytes + stderr.droppedBytes,
})

function streamOf(input: CommandOptions['input']): ExecOptions['input'] {
  if (typeof input !== 'string' && !(input instanceof Uint8Array)) return input
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
  return (async function* () {
    yield bytes
  })()
}
