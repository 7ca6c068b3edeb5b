import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecProcess } from '../Runtime.ts'

const KILL_AFTER_MS = 5000
/** Of a program that cannot be started; shells answer so as well. */
const NOT_STARTED = 127

/**
 * Runs a command in a container as its own user, with its walls, without a terminal. By the OCI runtime itself: podman loses the last
 * output of a command whose input is not read to its end.
 */
export function runInContainer(
  launcher: string,
  containerId: string,
  command: readonly string[],
  { env = {}, workingDir }: { env?: Readonly<Record<string, string>> | undefined; workingDir?: string | undefined } = {},
): ExecProcess {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-exec-'))
  const pidFile = join(folder, 'pid')
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
  child.stdin.on('error', () => {})
  const exitCode = new Promise<number>((resolve) => {
    child.once('error', () => resolve(NOT_STARTED))
    child.once('close', (code) => resolve(code ?? NOT_STARTED))
  }).finally(() => rmSync(folder, { recursive: true, force: true }))

  /** Those that the command started too: one process alone would leave them behind. */
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-Number(readFileSync(pidFile, 'utf8')), signal)
    } catch {
      // It has ended, or was never there.
      child.kill(signal)
    }
  }
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exitCode,
    closeTerminals() {
      signalGroup('SIGHUP')
      const timer = setTimeout(() => signalGroup('SIGKILL'), KILL_AFTER_MS)
      void exitCode.finally(() => clearTimeout(timer))
    },
  }
}
