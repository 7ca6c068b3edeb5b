import { decodeJson, encodeFrame, FRAME, type Frame, readFrames } from '@rackfair/protocol/frames'
import { execMessage } from '@rackfair/protocol/workspaceAnswers'
import type { ExecRequest } from '@rackfair/protocol/workspaceRequests'
import { StreamError } from '@rackfair/sealed'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { Workspace, WorkspaceStream } from './Workspace.ts'

export interface ExecOptions extends Omit<ExecRequest, 'command'> {
  /** Standard input of the command; empty by default. */
  input?: AsyncIterable<Uint8Array> | undefined
  /** If it returns a promise, the command's output waits for it. */
  onStdout?: (bytes: Uint8Array) => void | Promise<void>
  onStderr?: (bytes: Uint8Array) => void | Promise<void>
  /** Ends the command. */
  signal?: AbortSignal | undefined
}

const PIECE_BYTES = 128 * 1024

/**
 * Runs one command in the application's container, without a terminal. Resolves to its exit code.
 *
 * @throws AppError `app_not_running`, `stream_interrupted` (the command ends with its connection), `too_many_streams`.
 * @example const code = await exec(workspace, ['nvidia-smi'], { onStdout: (bytes) => process.stdout.write(bytes) })
 */
export async function exec(workspace: Workspace, command: readonly string[], options: ExecOptions = {}): Promise<number> {
  const { input, onStdout, onStderr, signal, workingDir, env } = options
  const request = { command, ...(workingDir === undefined ? {} : { workingDir }), ...(env === undefined ? {} : { env }) }
  return withStream(workspace, 'exec', request, signal, async (stream) => {
    const feeding = feed(stream, input).catch((error: unknown) => {
      // A command that exits before it has read all of its input is no failure; an input that fails is one.
      if (!(error instanceof StreamError)) stream.cancel('cancelled', String(error))
    })
    let exitCode: number | undefined
    for await (const { type, payload } of readFrames(stream.incoming)) {
      if (type === FRAME.bytes) await onStdout?.(payload)
      else if (type === FRAME.errorBytes) await onStderr?.(payload)
      else if (type === FRAME.json) exitCode = execMessage(decodeJson(payload), 'exec')?.exitCode ?? exitCode
    }
    void feeding
    if (exitCode === undefined) throw new StreamError('stream_interrupted', 'the command ended without its exit code')
    return exitCode
  })
}

async function feed(stream: WorkspaceStream, input: AsyncIterable<Uint8Array> = nothing()): Promise<void> {
  for await (const piece of input) await writeBytes(stream, piece)
  stream.end()
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Writes in frames of the size that the other side accepts. */
export async function writeBytes(stream: WorkspaceStream, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    await stream.write(encodeFrame(FRAME.bytes, bytes.subarray(at, at + PIECE_BYTES)))
}

/** Opens a stream for one task and always closes it. @throws AppError, or the abort reason of `signal` */
export async function withStream<Result>(
  workspace: Workspace,
  kind: Parameters<Workspace['open']>[0],
  request: unknown,
  signal: AbortSignal | undefined,
  work: (stream: WorkspaceStream) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const stream = await workspace.open(kind, request)
  stream.closed.catch(() => undefined)
  const cancel = () => stream.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    // It may have been aborted while the stream opened.
    signal?.throwIfAborted()
    return await work(stream)
  } catch (error) {
    signal?.throwIfAborted()
    throw toWorkspaceError(error)
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Parses the frames that are JSON. */
export async function* readJsonFrames(frames: AsyncIterable<Frame>): AsyncGenerator<Record<string, unknown>> {
  for await (const { type, payload } of frames) {
    const value = type === FRAME.json ? decodeJson(payload) : undefined
    if (typeof value === 'object' && value !== null) yield value as Record<string, unknown>
  }
}
