import { http } from 'viem'

/** A busy machine may leave the chain without a processor for many seconds. */
const ANSWER_MS = 30_000

/** To the local chain, for a client of viem. */
export const localTransport = (rpcUrl: string) => http(rpcUrl, { timeout: ANSWER_MS })

/** Asks the local chain; undefined where it answers with an error. */
export async function rpc(rpcUrl: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  return ((await response.json()) as { result?: unknown }).result
}
