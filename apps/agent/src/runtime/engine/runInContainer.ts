import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExecProcess } from '../Runtime.ts'

const KILL_AFTER_MS = 5000
const POLL_MS = 20
/** Of a program that is not there, and of one that cannot be run, as shells, docker and podman have it. */
const NOT_FOUND = 127
const NOT_RUN = 126
/** Of what the launcher says. */
const MAX_SAID = 4096

/**
 * Runs a command in a container as its own user, with its walls, without a terminal. By the OCI runtime itself: podman loses the last
 * output of a command whose input is not read to its end. `run` is a folder that a start of the machine empties, for process ids: an agent
 * that is killed leaves them behind.
 */
export function runInContainer(
  { launcher, run }: { launcher: string; run: string },
  containerId: string,
  command: readonly string[],
  { env = {}, workingDir }: { env?: Readonly<Record<string, string>> | undefined; workingDir?: string | undefined } = {},
): ExecProcess {
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const pidFile = join(run, `${randomUUID()}.pid`)
  const child = spawn(
    launcher,
    [
      ...['exec', '--pid-file', pidFile],
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...(workingDir ? ['--cwd', workingDir] : []),
      ...[containerId, ...command],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  for (const stream of child.stdio) stream?.on('error', () => {})
  const exitCode = new Promise<number>((resolve) => {
    // It comes again where a signal cannot be sent.
    child.on('error', () => resolve(NOT_FOUND))
    child.once('close', (code) => resolve(code ?? NOT_FOUND))
  })
    .then(async (code) => {
      if (await started) return code
      await read.promise
      return whyNotStarted(said, command).code
    })
    .finally(() => rmSync(pidFile, { force: true }))

  /** Undefined until the launcher has written it: read as a number, an empty file would be 0, the group of this very process. */
  const groupOf = (): number | undefined => {
    try {
      const pid = Number(readFileSync(pidFile, 'utf8'))
      return pid > 1 ? pid : undefined
    } catch {
      return undefined
    }
  }
  let said = ''
  const read = Promise.withResolvers<void>()
  const started = new Promise<boolean>((resolve) => {
    child.once('exit', () => resolve(groupOf() !== undefined))
    child.once('error', () => resolve(false))
  })
  /** What comes before the command runs is of the launcher: an engine's words, about a container that its user did not make. */
  async function* errorsOf(): AsyncGenerator<Buffer> {
    let isRunning = false
    try {
      for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
        while (!isRunning && child.exitCode === null && child.signalCode === null) {
          isRunning = groupOf() !== undefined
          if (!isRunning) await pause(POLL_MS)
        }
        isRunning ||= await started
        if (isRunning) yield chunk
        else said = (said + chunk).slice(0, MAX_SAID)
      }
    } finally {
      read.resolve()
    }
    if (!(await started)) yield Buffer.from(`${whyNotStarted(said, command).sentence}\n`)
  }
  const stderr = Readable.from(errorsOf(), { objectMode: false })
  stderr.on('error', () => {})

  /** Those that the command started too: one process alone would leave them behind. */
  const signalGroup = (signal: NodeJS.Signals) => {
    const group = groupOf()
    try {
      if (group === undefined) child.kill(signal)
      else process.kill(-group, signal)
    } catch {
      // It has ended, and left its launcher.
      child.kill(signal)
    }
  }
  const close = async () => {
    // A launcher that is ended before it says whom it started would leave that behind.
    const until = Date.now() + KILL_AFTER_MS
    while (groupOf() === undefined && child.exitCode === null && child.signalCode === null && Date.now() < until)
      await pause(POLL_MS)
    signalGroup('SIGHUP')
    const timer = setTimeout(() => signalGroup('SIGKILL'), KILL_AFTER_MS)
    void exitCode.finally(() => clearTimeout(timer))
  }
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr,
    exitCode,
    closeTerminals: () => void close(),
  }
}

/** Whether a command in a container ends well. One that takes longer than `timeoutMs` does not, and is ended with all that it started. */
export async function checkInContainer(
  how: { launcher: string; run: string },
  containerId: string,
  command: readonly string[],
  timeoutMs: number,
): Promise<boolean> {
  const ran = runInContainer(how, containerId, command)
  ran.stdin.end()
  ran.stdout.resume()
  ran.stderr.resume()
  const tooLong = Promise.withResolvers<false>()
  const timer = setTimeout(() => {
    ran.closeTerminals()
    // What it started and nobody can find may hold its output open: that is not waited for.
    ran.stdout.destroy()
    ran.stderr.destroy()
    tooLong.resolve(false)
  }, timeoutMs)
  const isWell = ran.exitCode.then((code) => code === 0)
  return Promise.race([isWell, tooLong.promise]).finally(() => clearTimeout(timer))
}

/** What the launcher means, in the words and with the exit code of a shell. */
function whyNotStarted(said: string, [program = '']: readonly string[]): { code: number; sentence: string } {
  if (/chdir|cwd/i.test(said)) return { code: NOT_RUN, sentence: `${program}: its working directory cannot be entered` }
  if (/permission denied/i.test(said)) return { code: NOT_RUN, sentence: `${program}: permission denied` }
  return { code: NOT_FOUND, sentence: `${program}: no such file or program in the container` }
}
