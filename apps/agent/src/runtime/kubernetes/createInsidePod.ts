import { randomUUID } from 'node:crypto'
import { Duplex } from 'node:stream'
import { AppError } from '@rackfair/rules/errors/AppError'
import { runCommand } from '../../foundation/runCommand.ts'
import { TOOLS_PATH } from '../agentsFile.ts'
import { TERMINAL_SCRIPT } from '../characters.ts'
import { FILE_SERVER } from '../engine/fileServer.ts'
import type { ExecProcess, Runtime } from '../Runtime.ts'
import type { ClusterClient } from './clusterClient.ts'
import { connectPort, type Inside, type PodProcess, startProcess } from './podStreams.ts'

/** Tells the processes of one command from all others of the pod. */
const MARK = 'RACKFAIR_EXEC'
const RUN = `cd "$1" 2>/dev/null || [ -z "$1" ] || exit 127; shift; exec env "$@"`
const END = `for one in /proc/[0-9]*; do
  tr '\\0' '\\n' <$one/environ 2>/dev/null | grep -qx "${MARK}=$1" && kill -$2 \${one#/proc/}
done; exit 0`
const KILL_AFTER_MS = 5000

export interface InsidePodOptions {
  cluster: ClusterClient
  /** The folder of the file server; undefined where this machine has none. */
  toolsFolder: string | undefined
  /** The namespace of an order whose pod runs, and what tells this start from others. @throws AppError `app_not_running` */
  running(orderId: bigint, service?: string): Promise<{ namespace: string; start: string; container: string }>
}

/** What an order's user does in the running pod. A command there needs a shell, as a pod's API starts it without environment or folder. */
export function createInsidePod({
  cluster,
  toolsFolder,
  running,
}: InsidePodOptions): Pick<Runtime, 'terminal' | 'exec' | 'fileServer' | 'connect'> {
  /** Starts of pods that have the file server. */
  const equipped = new Map<string, Promise<void>>()

  const run = async (pod: Inside, command: readonly string[], env: Readonly<Record<string, string>>, folder = '') => {
    const mark = randomUUID()
    const values = Object.entries({ ...env, [MARK]: mark }).map(([name, value]) => `${name}=${value}`)
    const process = await startProcess(cluster, pod, ['/bin/sh', '-c', RUN, 'sh', folder, ...values, ...command])
    return { process, end: (signal: string) => endMarked(cluster, pod, mark, signal) }
  }

  const exec: Runtime['exec'] = async (orderId, command, { env = {}, workingDir, service } = {}) => {
    const { process, end } = await run(await running(orderId, service), command, env, workingDir)
    return asExec(process, end)
  }

  return {
    async terminal(orderId, command, size, service) {
      const line = ['/bin/sh', '-c', TERMINAL_SCRIPT, 'sh', ...command]
      const process = await startProcess(cluster, await running(orderId, service), line, { tty: true })
      process.resize(size.columns, size.rows)
      const stream = Duplex.from({ readable: process.stdout, writable: process.stdin })
      // Whoever lets go of it early gets an error of it.
      stream.on('error', () => {})
      stream.once('close', process.close)
      return { stream, resize: async (columns, rows) => process.resize(columns, rows), exitCode: process.exitCode }
    },

    exec,

    async fileServer(orderId, service) {
      const pod = await running(orderId, service)
      const key = `${pod.namespace} ${pod.container} ${pod.start}`
      if (!toolsFolder) throw new AppError('workspace_unsupported', 'this provider has no file server')
      const ready = equipped.get(key) ?? giveTools(cluster, pod, toolsFolder)
      equipped.set(key, ready)
      ready.catch(() => equipped.delete(key))
      await ready
      return exec(orderId, FILE_SERVER, { service })
    },

    async connect(orderId, port, service) {
      return connectPort(cluster, (await running(orderId, service)).namespace, port)
    },
  }
}

function asExec(process: PodProcess, end: (signal: string) => Promise<void>): ExecProcess {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    exitCode: process.exitCode,
    closeTerminals() {
      const later = setTimeout(() => void end('KILL').catch(() => {}), KILL_AFTER_MS)
      void process.exitCode.finally(() => clearTimeout(later))
      void end('HUP')
        .catch(() => {})
        .finally(process.close)
    },
  }
}

async function endMarked(cluster: ClusterClient, pod: Inside, mark: string, signal: string): Promise<void> {
  const { exitCode, stdout, stderr } = await startProcess(cluster, pod, ['/bin/sh', '-c', END, 'sh', mark, signal])
  stdout.resume()
  stderr.resume()
  await exitCode
}

/** Puts the file server into a pod: by its own shell, as a pod that runs takes no more volumes. */
async function giveTools(cluster: ClusterClient, pod: Inside, folder: string): Promise<void> {
  const { code, stdout: archive } = await runCommand('sh', ['-c', 'cd "$1" && tar -cf - * | base64 -w0', 'sh', folder])
  const bytes = Buffer.from(archive, 'base64')
  const line = `head -c ${bytes.length} | tar -xf - -C ${TOOLS_PATH}`
  const { stdin, stdout, stderr, exitCode } = await startProcess(cluster, pod, ['/bin/sh', '-c', line])
  stdout.resume()
  stderr.resume()
  stdin.write(bytes)
  if (code !== 0 || (await exitCode) !== 0)
    throw new AppError('workspace_unsupported', 'the image has no shell with head and tar, which its files are reached by')
}
