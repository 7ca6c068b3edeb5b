import { readFileSync, readlinkSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { PassThrough } from 'node:stream'
import type Docker from 'dockerode'
import { setsCharacters, UTF8 } from '../characters.ts'
import type { TerminalStream } from '../Runtime.ts'

/** Of a command whose container is gone. */
const UNKNOWN_EXIT = 255

/** When a size is said again: a conmon without https://github.com/containers/conmon/pull/566 takes sizes that reach it together for the first of them. */
const REPEATS_MS = [250, 1_000, 4_000]

/** Of what a command writes, which is a stranger's. */
const MAX_OUTPUT_BYTES = 1024 * 1024

/**
 * Runs a command in a container without a terminal; a command that takes too long answers code 124. What it writes beyond the first
 * megabyte is dropped.
 */
export async function execIn(container: Docker.Container, command: readonly string[], timeoutMs: number) {
  const exec = await container.exec({ Cmd: [...command], AttachStdout: true, AttachStderr: true })
  const stream = await exec.start({})
  const out = new PassThrough()
  const chunks: Buffer[] = []
  let kept = 0
  out.on('data', (chunk: Buffer) => {
    if (kept < MAX_OUTPUT_BYTES) chunks.push(chunk.subarray(0, MAX_OUTPUT_BYTES - kept))
    kept += chunk.length
  })
  container.modem.demuxStream(stream, out, out)
  const timedOut = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(true), timeoutMs)
    stream.once('end', () => {
      clearTimeout(timer)
      resolve(false)
    })
    stream.on('error', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
  if (timedOut) {
    stream.destroy()
    return { code: 124, output: Buffer.concat(chunks).toString() }
  }
  const { ExitCode } = await exec.inspect()
  return { code: ExitCode ?? 0, output: Buffer.concat(chunks).toString() }
}

/** A terminal in a running container. Its command is hung up when the stream closes: the engine would leave it running for ever. */
export async function openTerminal(
  container: Docker.Container,
  command: readonly string[],
  size: { columns: number; rows: number },
): Promise<TerminalStream> {
  const { Config } = await container.inspect()
  const exec = await container.exec({
    Cmd: [...command],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: true,
    Env: ['TERM=xterm-256color', ...(setsCharacters(Config.Env) ? [] : [UTF8])],
  })
  const stream = (await exec.start({ hijack: true, stdin: true, Tty: true })) as Duplex
  // Whoever lets go of it early gets an error of it.
  stream.on('error', () => {})
  const setSize = async (columns: number, rows: number) => {
    try {
      await exec.resize({ w: columns, h: rows })
    } catch (error) {
      // podman answers 201 where the client expects 200.
      if ((error as { statusCode?: number }).statusCode !== 201) throw error
    }
  }
  let repeats: NodeJS.Timeout[] = []
  const stopRepeats = () => repeats.forEach(clearTimeout)
  const resize = async (columns: number, rows: number) => {
    stopRepeats()
    await setSize(columns, rows)
    stopRepeats()
    if (stream.destroyed) return
    repeats = REPEATS_MS.map((delay) => setTimeout(() => void setSize(columns, rows).catch(() => {}), delay).unref())
  }
  const exitCode = new Promise<void>((resolve) => {
    stream.once('close', resolve).once('end', resolve)
  }).then(async () => (await exec.inspect().catch(() => undefined))?.ExitCode ?? UNKNOWN_EXIT)
  stream.once('close', () => {
    stopRepeats()
    void closeTerminals(container, exec).catch(() => {})
  })
  await resize(size.columns, size.rows).catch(() => {})
  return { stream, resize, exitCode }
}

/** Only a process of that very container: an engine in a virtual machine counts processes differently. */
async function closeTerminals(container: Docker.Container, exec: Docker.Exec): Promise<void> {
  const [{ Running, Pid }, { State, Id }] = await Promise.all([exec.inspect(), container.inspect()])
  if (!Running || Pid <= 0) return
  const spaceOf = (pid: number) => readlinkSync(`/proc/${pid}/ns/pid`)
  // gVisor has the command inside of its own kernel, and a process of this machine that hands signals on to it.
  const isCarrier = () => readFileSync(`/proc/${Pid}/cmdline`, 'utf8').split('\0').includes(Id)
  if (spaceOf(Pid) === spaceOf(State.Pid) || isCarrier()) process.kill(Pid, 'SIGHUP')
}
