import { foundryBinary } from '@rackfair/contracts/foundry'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { repairState } from './chainState.ts'
import { rpc } from './rpc.ts'
import type { ProcessSpec } from './Supervisor.ts'

/** Every transaction gets a block at once; empty blocks come at this pace, because each one makes the saved state longer. */
const BLOCK_SECONDS = 5

/** As many as a full node of Ethereum keeps. Without a limit anvil writes older ones to files below the home folder, gigabytes a day. */
const KEPT_STATES = 128

/** A year. Without an interval it is a minute; anvil writes its whole state then, in place, whether or not anything happened. */
const NEVER_SECONDS = 365 * 86_400

/** The local chain as a process. Its state survives a restart; while it runs, `keepSaved` has to save it. */
export function chainProcess(options: { port: number; stateFile: string; keptBlocks?: number | undefined }): ProcessSpec {
  const rpcUrl = `http://127.0.0.1:${options.port}`
  return {
    name: 'chain',
    command: foundryBinary('anvil'),
    args: [
      ...['--host', '127.0.0.1', '--port', String(options.port), '--chain-id', String(DEVELOPMENT_CHAIN_ID)],
      ...['--block-time', String(BLOCK_SECONDS), '--mixed-mining'],
      ...['--prune-history', String(KEPT_STATES)],
      ...['--state', options.stateFile, '--state-interval', String(NEVER_SECONDS), '--quiet'],
    ],
    isReady: async () => (await rpc(rpcUrl, 'eth_chainId')) === `0x${DEVELOPMENT_CHAIN_ID.toString(16)}`,
    beforeStart: async () => repairState(options.stateFile, options.keptBlocks),
  }
}
