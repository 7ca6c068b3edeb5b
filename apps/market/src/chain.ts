import { foundryBinary } from '@rackfair/contracts/foundry'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import { repairState } from './chainState.ts'
import type { ProcessSpec } from './Supervisor.ts'

/** Every transaction gets a block at once; empty blocks come at this pace, because each one makes the state file longer. */
const BLOCK_SECONDS = 5

/** The local chain as a process. Its state is written every second and survives a restart. */
export function chainProcess(options: { port: number; stateFile: string }): ProcessSpec {
  const rpcUrl = `http://127.0.0.1:${options.port}`
  return {
    name: 'chain',
    command: foundryBinary('anvil'),
    args: [
      ...['--host', '127.0.0.1', '--port', String(options.port), '--chain-id', String(DEVELOPMENT_CHAIN_ID)],
      ...['--block-time', String(BLOCK_SECONDS), '--mixed-mining'],
      ...['--state', options.stateFile, '--state-interval', '1', '--quiet'],
    ],
    isReady: async () => (await rpc(rpcUrl, 'eth_chainId')) === `0x${DEVELOPMENT_CHAIN_ID.toString(16)}`,
    beforeStart: async () => repairState(options.stateFile),
  }
}

export async function rpc(rpcUrl: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(5000),
  })
  return ((await response.json()) as { result?: unknown }).result
}
