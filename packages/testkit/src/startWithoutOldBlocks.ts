import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createPublicClient, type Hex, http } from 'viem'
import { type Anvil, startAnvil } from './startAnvil.ts'

interface State {
  best_block_number: Hex
  blocks: { header: { number: Hex }; transactions: readonly unknown[] }[]
}

/**
 * The same chain in another process, without the empty blocks that are older than the newest ones: what the local market's chain is after a
 * start.
 */
export async function startWithoutOldBlocks<Of extends Anvil>(chain: Of, keptBlocks: number): Promise<Of> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { timeout: 120_000 }) })
  const dump = await client.request<{ Method: 'anvil_dumpState'; Parameters?: undefined; ReturnType: Hex }>({
    method: 'anvil_dumpState',
  })
  const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()) as State
  const newest = Number(state.best_block_number) - keptBlocks
  const blocks = state.blocks.filter(({ header, transactions }) => {
    const number = Number(header.number)
    return number < 2 || number > newest || transactions.length > 0
  })
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-state-'))
  try {
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ ...state, blocks }))
    const args = ['--load-state', join(folder, 'state.json')]
    return { ...chain, ...(await startAnvil({ blockTime: 0, chainId: chain.chainId, args })) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
