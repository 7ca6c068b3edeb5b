import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256, toRlp } from 'viem'

const BACKUP_MS = 5_000
const SAVE_POLL_MS = 50
const SAVED_WITHIN_MS = 30_000

/** The part of anvil's state file that is read here. */
interface ChainState {
  best_block_number: Hex
  blocks: { header: BlockHeader }[]
}

type BlockHeader = Record<(typeof HEADER_FIELDS)[number]['name'], Hex>

/** Fields of a block header in the order of its hash (Ethereum yellow paper 4.3, up to Prague). Quantities lose leading zeros. */
const HEADER_FIELDS = [
  { name: 'parentHash', quantity: false },
  { name: 'sha3Uncles', quantity: false },
  { name: 'miner', quantity: false },
  { name: 'stateRoot', quantity: false },
  { name: 'transactionsRoot', quantity: false },
  { name: 'receiptsRoot', quantity: false },
  { name: 'logsBloom', quantity: false },
  { name: 'difficulty', quantity: true },
  { name: 'number', quantity: true },
  { name: 'gasLimit', quantity: true },
  { name: 'gasUsed', quantity: true },
  { name: 'timestamp', quantity: true },
  { name: 'extraData', quantity: false },
  { name: 'mixHash', quantity: false },
  { name: 'nonce', quantity: false },
  { name: 'baseFeePerGas', quantity: true },
  { name: 'withdrawalsRoot', quantity: false },
  { name: 'blobGasUsed', quantity: true },
  { name: 'excessBlobGas', quantity: true },
  { name: 'parentBeaconBlockRoot', quantity: false },
  { name: 'requestsHash', quantity: false },
] as const

export const chainStateFile = (stateDir: string) => join(stateDir, 'chain.json')
const backupOf = (stateFile: string) => `${stateFile}.backup`

/**
 * Makes the state file one that anvil loads as the chain it was. A file that was cut off by a kill gives way to the last whole
 * copy, and of several first blocks only the one that the second block names is kept: anvil adds a first block of its own at
 * every start, and which of them wins when it loads the file is chance.
 *
 * Throws when the file is broken and so is its copy: an empty chain in its place would be another chain under the same orders.
 */
export function repairState(stateFile: string): void {
  const backup = backupOf(stateFile)
  if (!existsSync(stateFile) && !existsSync(backup)) return
  // Copies that a kill has cut off.
  for (const name of globSync(`${backup}.*`)) rmSync(name)
  const own = readState(stateFile)
  const state = own ?? readState(backup)
  if (!state) {
    // Nothing stands on a chain whose first copy was not made yet.
    if (!existsSync(backup)) {
      rmSync(stateFile, { force: true })
      return
    }
    throw new Error(
      `The state of the chain cannot be read: ${stateFile} and its copy are both damaged. Nothing was changed.\nPut a copy of your own in its place, or begin anew with "npm start -- --reset".`,
    )
  }
  const blocks = withOneGenesis(state.blocks)
  if (own && blocks.length === state.blocks.length) return
  writeFileSync(`${stateFile}.next`, JSON.stringify({ ...state, blocks }))
  renameSync(`${stateFile}.next`, stateFile)
}

function withOneGenesis(blocks: ChainState['blocks']): ChainState['blocks'] {
  const isGenesis = ({ header }: { header: BlockHeader }) => BigInt(header.number) === 0n
  if (blocks.filter(isGenesis).length < 2) return blocks
  const named = blocks.find(({ header }) => BigInt(header.number) === 1n)?.header.parentHash
  const kept = blocks.find((block) => isGenesis(block) && (named === undefined || hashOf(block.header) === named))
  if (!kept) throw new Error(`No first block in the chain's state fits its second one (${named}).`)
  return blocks.filter((block) => !isGenesis(block) || block === kept)
}

function hashOf(header: BlockHeader): Hex {
  const present = HEADER_FIELDS.filter(({ name }) => header[name] !== undefined && header[name] !== null)
  return keccak256(toRlp(present.map(({ name, quantity }) => (quantity ? toQuantity(header[name]) : header[name]))))
}

function toQuantity(value: Hex): Hex {
  const digits = BigInt(value).toString(16)
  return digits === '0' ? '0x' : `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** Copies the state aside every few seconds, whole copies only. Returns how to stop. */
export function keepStateBackup(stateFile: string): () => void {
  let copied = 0
  const copy = async () => {
    if (!existsSync(stateFile)) return
    const { mtimeMs } = statSync(stateFile)
    if (mtimeMs !== copied && (await copyState(stateFile))) copied = mtimeMs
  }
  // On a full disk the last copy stays, and the next try is seconds away.
  const timer = setInterval(() => void copy().catch(() => {}), BACKUP_MS)
  return () => clearInterval(timer)
}

/**
 * Waits until block `height` is in the state file and in its copy: from then on no kill takes it from the chain.
 * Throws after 30 s.
 */
export async function awaitSaved(stateFile: string, height: number): Promise<void> {
  const until = Date.now() + SAVED_WITHIN_MS
  while (Date.now() < until) {
    if (Number(readState(stateFile)?.best_block_number ?? -1) >= height && (await copyState(stateFile))) return
    await sleep(SAVE_POLL_MS)
  }
  throw new Error(`The chain did not save its state to ${stateFile}; is the disk full?`)
}

/** Copies under a name of its own: who waits for a block copies beside the one that copies every few seconds. */
async function copyState(stateFile: string): Promise<boolean> {
  const next = `${backupOf(stateFile)}.${randomUUID()}`
  try {
    const before = statSync(stateFile)
    copyFileSync(stateFile, next)
    const after = statSync(stateFile)
    if (before.mtimeMs !== after.mtimeMs || before.size !== after.size || !(await endsLikeJson(next))) return false
    renameSync(next, backupOf(stateFile))
    return true
  } catch (error) {
    // Replaced at that moment.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  } finally {
    rmSync(next, { force: true })
  }
}

function readState(file: string): ChainState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ChainState
  } catch {
    return undefined
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
