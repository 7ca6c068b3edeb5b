import { withStream } from './exec.ts'
import type { Workspace } from './Workspace.ts'

/**
 * Carries one SSH connection between a client and the SSH server of an order, for use as a ProxyCommand.
 *
 * @throws AppError `workspace_unsupported`, `provider_offline` (retryable), `stream_interrupted`.
 * @example await carrySsh(workspace, process.stdin, (bytes) => void process.stdout.write(bytes))
 */
export async function carrySsh(
  workspace: Workspace,
  input: AsyncIterable<Uint8Array>,
  onBytes: (bytes: Uint8Array) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await withStream(workspace, 'ssh', {}, signal, async (stream) => {
    const feeding = (async () => {
      for await (const piece of input) await stream.write(piece)
      stream.end()
    })()
    feeding.catch(() => undefined)
    for await (const bytes of stream.incoming) await onBytes(bytes)
  })
}
