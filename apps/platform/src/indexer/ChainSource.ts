import { lowerCaseAddress } from '@rackfair/rules/address'
import { createPublicClient, type Hex, hexToNumber, http, numberToHex, type PublicClient } from 'viem'
import type { RawLogTable } from '../store/tables.ts'

export interface BlockHead {
  number: number
  hash: string
  parentHash: string
  time: number
  logsBloom: Hex
}

/** A log as stored and folded. */
export type RawLog = RawLogTable

interface RpcBlock {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  logsBloom: Hex
}

interface RpcLog {
  address: string
  topics: string[]
  data: string
  blockNumber: Hex
  blockHash: string
  blockTimestamp?: Hex
  transactionHash: string
  logIndex: Hex
  removed?: boolean
}

/**
 * The indexer's requests to a chain. Every answer is validated: a node that truncates or mixes up answers causes an error, not wrong data.
 */
export interface ChainSource {
  client: PublicClient
  chainId(): Promise<number>
  head(): Promise<BlockHead>
  /** Undefined if the chain does not have it. */
  find(number: number): Promise<BlockHead | undefined>
  blocks(numbers: readonly number[]): Promise<BlockHead[]>
  logs(from: number, to: number, addresses: readonly string[]): Promise<RawLog[]>
}

export function openChain(rpcUrl: string, timeoutMs = 10_000): ChainSource {
  const options = { timeout: timeoutMs, retryCount: 0 }
  const client = createPublicClient({ transport: http(rpcUrl, { ...options, batch: { batchSize: 64, wait: 0 } }), cacheTime: 0 })
  // Logs may be more than one answer holds: whatever shared a batch with them would fail with them.
  const alone = createPublicClient({ transport: http(rpcUrl, options), cacheTime: 0 })
  const call = <Answer>(method: string, params: readonly unknown[], { request } = client) =>
    request({ method, params } as never) as Promise<Answer>

  const find = async (tag: string): Promise<BlockHead | undefined> => {
    const answer = await call<RpcBlock | null>('eth_getBlockByNumber', [tag, false])
    if (!answer?.hash) return undefined
    return {
      number: hexToNumber(answer.number),
      hash: answer.hash,
      parentHash: answer.parentHash,
      time: hexToNumber(answer.timestamp),
      logsBloom: answer.logsBloom,
    }
  }
  const block = async (tag: string): Promise<BlockHead> => {
    const found = await find(tag)
    if (!found) throw new Error(`the chain has no block ${tag}`)
    return found
  }

  return {
    client,
    chainId: async () => hexToNumber(await call<Hex>('eth_chainId', [])),
    head: () => block('latest'),
    find: (number) => find(numberToHex(number)),
    blocks: (numbers) => Promise.all(numbers.map((number) => block(numberToHex(number)))),
    async logs(from, to, addresses) {
      const filter = { fromBlock: numberToHex(from), toBlock: numberToHex(to), address: addresses }
      const answers = await call<RpcLog[]>('eth_getLogs', [filter], alone)
      const logs = answers.filter((log) => !log.removed)
      const times = await missingTimes(logs, block)
      return eachOnce(logs.map((log) => readLog(log, times, from, to)))
    },
  }
}

async function missingTimes(logs: readonly RpcLog[], block: (tag: string) => Promise<BlockHead>): Promise<Map<string, number>> {
  const without = [...new Set(logs.filter((log) => log.blockTimestamp === undefined).map((log) => log.blockNumber))]
  const heads = await Promise.all(without.map((number) => block(number)))
  return new Map(heads.map((head) => [head.hash, head.time]))
}

function readLog(log: RpcLog, times: ReadonlyMap<string, number>, from: number, to: number): RawLog {
  const block = hexToNumber(log.blockNumber)
  const time = log.blockTimestamp === undefined ? times.get(log.blockHash) : hexToNumber(log.blockTimestamp)
  if (block < from || block > to || time === undefined) throw new Error(`the chain answered a log of block ${block} out of place`)
  return {
    block,
    logIndex: hexToNumber(log.logIndex),
    blockHash: log.blockHash,
    blockTime: time,
    transactionHash: log.transactionHash,
    address: lowerCaseAddress(log.address),
    topics: log.topics.join(','),
    data: log.data,
  }
}

/** In the order of the chain. Nodes behind one address may answer a log twice, which no table takes. */
function eachOnce(logs: readonly RawLog[]): RawLog[] {
  const byPlace = new Map<string, RawLog>()
  for (const log of logs) {
    const place = `${log.block}|${log.logIndex}`
    const known = byPlace.get(place)
    if (known && JSON.stringify(known) !== JSON.stringify(log))
      throw new Error(`the chain answered two logs ${log.logIndex} of block ${log.block}`)
    byPlace.set(place, log)
  }
  return [...byPlace.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}
