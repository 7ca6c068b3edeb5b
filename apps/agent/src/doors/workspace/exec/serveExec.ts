import type { Readable } from 'node:stream'
import { encodeFrame, encodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import type { ExecEnded } from '@rackfair/protocol/workspaceAnswers'
import { execRequest } from '@rackfair/protocol/workspaceRequests'
import type { ExecProcess } from '../../../runtime/Runtime.ts'
import { parseRequest } from '../parseRequest.ts'
import type { WorkspaceChannel, WorkspaceHandler } from '../WorkspaceChannel.ts'

export interface ExecOptions {
  exec(
    orderId: bigint,
    command: readonly string[],
    options: {
      env?: Readonly<Record<string, string>> | undefined
      workingDir?: string | undefined
      service?: string | undefined
    },
  ): Promise<ExecProcess>
}

/** One command in the application's container, with its input, its two outputs and its exit code. */
export function createExecHandler({ exec }: ExecOptions): WorkspaceHandler {
  return async (orderId, request, channel) => {
    const { command, env, workingDir, service } = parseRequest(execRequest, request)
    const running = await exec(orderId, command, { env, workingDir, service })
    const closeTerminals = () => running.closeTerminals()
    channel.signal.addEventListener('abort', closeTerminals, { once: true })
    if (channel.signal.aborted) closeTerminals()
    try {
      void feed(running, channel)
      await Promise.all([forward(running.stdout, FRAME.bytes, channel), forward(running.stderr, FRAME.errorBytes, channel)])
      const exitCode = await running.exitCode
      await channel.write(encodeJson({ exitCode } satisfies ExecEnded))
    } catch (error) {
      closeTerminals()
      throw error
    } finally {
      channel.signal.removeEventListener('abort', closeTerminals)
    }
  }
}

async function feed({ stdin }: ExecProcess, channel: WorkspaceChannel): Promise<void> {
  try {
    for await (const { type, payload } of readFrames(channel.incoming)) {
      if (type !== FRAME.bytes) continue
      await new Promise<void>((resolve, reject) => stdin.write(payload, (error) => (error ? reject(error) : resolve())))
    }
  } catch {
    // The command does not read it to the end, or the stream was cut.
  }
  stdin.end()
}

async function forward(output: Readable, type: number, channel: WorkspaceChannel): Promise<void> {
  for await (const chunk of output) await channel.write(encodeFrame(type, chunk as Buffer))
}
