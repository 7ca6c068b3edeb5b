import { constants } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Hex, keccak256, numberToHex, toRlp } from 'viem'
import { rpc } from './rpc.ts'

const unzip = promisify(gunzip)
const POLL_MS = 1_000
/** Blocks; more than the chain adds on its own between two polls. */
const MAX_CHECKED = 20
/** Four hours of empty ones, 5 MB. The indexer takes back 256 at most, and the chain knows the states of 128. */
const KEPT_BLOCKS = 2_880

export interface SavedChain {
  rpcUrl: string
  stateFile: string
}

/** The part of anvil's state file that is read here. */
interface ChainState {
  best_block_number: Hex
  blocks: Block[]
}

interface Block {
  header: BlockHeader
  transactions: readonly unknown[]
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
/** Written while the chain runs. anvil itself writes the state file only when it is stopped. */
const copyOf = (stateFile: string) => `${stateFile}.backup`

/**
 * Makes the state file one that anvil loads as the chain it was. A file that a kill cut off, or left older than its copy, gives way to
 * the copy, and of several first blocks only the one that the second block names is kept: anvil adds a first block of its own at
 * every start, and which of them wins when it loads the file is chance.
 *
 * Of the blocks before the newest `keptBlocks`, only those with transactions are kept: what happened on the chain decides how large the
 * file is, not how long it ran.
 *
 * Throws when the file is broken and so is its copy: an empty chain in its place would be another chain under the same orders.
 */
export function repairState(stateFile: string, keptBlocks = KEPT_BLOCKS): void {
  const copy = copyOf(stateFile)
  if (!existsSync(stateFile) && !existsSync(copy)) return
  // Copies truncated by a kill.
  for (const name of globSync(`${copy}.*`)) rmSync(name)
  const [own, copied] = [readState(stateFile), readState(copy)]
  const state = own && heightOf(own) >= (copied ? heightOf(copied) : -1) ? own : copied
  if (!state) {
    // Nothing depends yet on a chain without a first copy.
    if (!existsSync(copy)) {
      rmSync(stateFile, { force: true })
      return
    }
    throw new Error(
      `The state of the chain cannot be read: ${stateFile} and its copy are both damaged. Nothing was changed.\nPut a copy of your own in its place, or start over with "npm start -- --reset".`,
    )
  }
  const blocks = withoutOldEmpty(withOneGenesis(state.blocks), heightOf(state) - keptBlocks)
  if (state === own && blocks.length === state.blocks.length) return
  writeFileSync(`${stateFile}.next`, JSON.stringify({ ...state, blocks }))
  renameSync(`${stateFile}.next`, stateFile)
}

const heightOf = (state: ChainState) => Number(state.best_block_number)

/** The first two blocks tell which chain it is. */
function withoutOldEmpty(blocks: Block[], newest: number): Block[] {
  return blocks.filter(({ header, transactions }) => {
    const number = Number(header.number)
    return number < 2 || number > newest || transactions.length > 0
  })
}

function withOneGenesis(blocks: Block[]): Block[] {
  const isGenesis = ({ header }: Block) => BigInt(header.number) === 0n
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

/**
 * Saves the chain within a second of a transaction, of many at most once in three seconds, and its empty blocks once a minute: every save
 * writes the whole chain. Returns a function that stops it.
 */
export function keepSaved(chain: SavedChain, { emptyBlocksMs = 60_000, restMs = 3_000 } = {}): () => void {
  let seen = 0
  let isDue = true
  let savedAt = 0
  let isBusy = false
  const poll = async () => {
    const height = Number(await rpc(chain.rpcUrl, 'eth_blockNumber'))
    isDue ||= await isWorthSaving(chain.rpcUrl, seen, height)
    const isNew = height !== seen
    seen = height
    const rested = Date.now() - savedAt
    if (isDue ? rested < restMs : !isNew || rested < emptyBlocksMs) return
    await saveState(chain)
    isDue = false
    savedAt = Date.now()
  }
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    // Neither a chain that is being started again nor a full disk ends it: the last copy stays, and the next attempt follows.
    await poll().catch(() => {})
    isBusy = false
  }, POLL_MS)
  return () => clearInterval(timer)
}

/** Whether a block after `seen` has a transaction. A chain that went back or far ahead is saved without a check. */
async function isWorthSaving(rpcUrl: string, seen: number, height: number): Promise<boolean> {
  if (height < seen || height - seen > MAX_CHECKED) return true
  for (let number = seen + 1; number <= height; number += 1)
    if (Number(await rpc(rpcUrl, 'eth_getBlockTransactionCountByNumber', [numberToHex(number)])) > 0) return true
  return false
}

/** Saves the chain as it is now: from then on no kill takes it back to before. The copy is replaced whole or not at all. */
export async function saveState({ rpcUrl, stateFile }: SavedChain): Promise<void> {
  const packed = toBytes(await rpc(rpcUrl, 'anvil_dumpState'))
  // A unique name: a caller may save while the periodic save does.
  const next = `${copyOf(stateFile)}.${randomUUID()}`
  try {
    await writeFile(next, await unzip(packed), { flush: true })
    await rename(next, copyOf(stateFile))
  } finally {
    await rm(next, { force: true })
  }
}

/** Of some million digits, which viem's functions look at one by one: that takes longer than the rest of a save. */
function toBytes(dump: unknown): Buffer {
  if (typeof dump !== 'string' || !dump.startsWith('0x')) throw new Error('The chain did not return its state.')
  return Buffer.from(dump.slice(2), 'hex')
}

/** Undefined if it is missing or damaged. */
function readState(file: string): ChainState | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > constants.MAX_STRING_LENGTH)
    throw new Error(
      `The state of the chain in ${file} is larger than can be read (${Math.floor(size / 2 ** 20)} MiB): it has run for too long. Nothing was changed.\nStart over with "npm start -- --reset", or on another folder with "npm start -- --state DIR".`,
    )
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ChainState
  } catch {
    return undefined
  }
}
