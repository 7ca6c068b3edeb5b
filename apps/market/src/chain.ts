import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { foundryBinary } from '@rackfair/contracts/foundry'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import type { ProcessSpec } from './Supervisor.ts'

/** Every transaction gets a block at once; empty blocks come at this pace, because each one makes the state file longer. */
const BLOCK_SECONDS = 5
const BACKUP_MS = 5_000

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
    beforeStart: async () => restoreState(options.stateFile),
  }
}

/** A chain that is killed while it writes its state leaves half a file: then the last whole copy takes its place. */
function restoreState(stateFile: string): void {
  if (!existsSync(stateFile) || isWhole(stateFile)) return
  const backup = `${stateFile}.backup`
  if (existsSync(backup)) copyFileSync(backup, stateFile)
  else rmSync(stateFile)
}

/** Copies the state aside every few seconds, whole copies only. Returns how to stop. */
export function keepStateBackup(stateFile: string): () => void {
  let copied = 0
  const timer = setInterval(async () => {
    if (!existsSync(stateFile)) return
    const { mtimeMs } = statSync(stateFile)
    if (mtimeMs === copied) return
    const next = `${stateFile}.next`
    copyFileSync(stateFile, next)
    if (await endsLikeJson(next)) {
      renameSync(next, `${stateFile}.backup`)
      copied = mtimeMs
    }
  }, BACKUP_MS)
  return () => clearInterval(timer)
}

function isWhole(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}

/** The cheap check while running: half a file does not end in a closing brace that follows another value's end. */
async function endsLikeJson(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size < 2) return false
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, size - 2)
    return /^[\]}lse\d"]}$/.test(buffer.toString('latin1'))
  } finally {
    await handle.close()
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
