import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isLive as isLiveStanding, type Standing, standingOf as standingAt } from '@rackfair/rules/order/status'
import {
  getNode,
  type getOrder,
  getProvider,
  isSignedBy,
  type MarketAddresses,
  marketOf,
  readAddresses,
  readMarket,
  toAppError,
} from '@rackfair/sdk'
import { type Address, createPublicClient, type Hex, http, type PublicClient, zeroAddress } from 'viem'
import { hostOf } from '../../foundation/hiddenSecrets.ts'
import { AGENT_TIMES } from '../../foundation/times.ts'

export type ChainOrder = Awaited<ReturnType<typeof getOrder>> & {
  user: LowerCaseAddress
  provider: LowerCaseAddress
  market: Address
}
export type ChainNode = Awaited<ReturnType<typeof getNode>>
export type ChainProvider = Awaited<ReturnType<typeof getProvider>>

export interface Head {
  number: bigint
  hash: Hex
  /** Unix seconds by the chain's own clock: the only clock that ends an order. */
  timestamp: number
}

const PAGE = 200n

/** What the agent reads from the chain. Every answer comes from the RPC node itself, never from the platform. */
export interface ChainView {
  readonly client: PublicClient
  readonly addresses: MarketAddresses
  readonly chainId: number
  /** Hash of the first block when the agent connected: distinguishes a restarted chain from the one before it. */
  readonly genesis: Hex
  /** The latest block. Throws `wrong_chain` if the first block is no longer `genesis`: then nothing read here can be trusted. */
  head(): Promise<Head>
  /** The order and the Market that holds it; undefined if there is no such order. */
  order(orderId: bigint): Promise<ChainOrder | undefined>
  node(nodeId: bigint): Promise<ChainNode>
  nodes(): Promise<ChainNode[]>
  providerInfo(): Promise<ChainProvider>
  /** Whether `wallet` signed `text`: an EOA, or a contract by ERC-1271 or ERC-6492 as of the latest block. */
  signedBy(wallet: Address, text: string, signature: Hex): Promise<boolean>
}

export interface ChainOptions {
  rpcUrl: string
  chainId: number
  access: Address
  provider: Address
  /** Genesis hash of the chain that the agent's state belongs to; undefined before it first connected. */
  knownGenesis?: Hex | undefined
  /** Timeout of one request. */
  answerMs?: number
}

/** Connects and verifies that this is the chain the agent was set up for. Throws `chain_unreachable` or `wrong_chain`. */
export async function openChain(options: ChainOptions): Promise<ChainView> {
  const { chainId, access, provider, answerMs = AGENT_TIMES.chainAnswerMs } = options
  const client = createPublicClient({
    transport: http(options.rpcUrl, { retryCount: 1, timeout: answerMs }),
    cacheTime: 0,
    pollingInterval: 300,
  })
  const actual = await client.getChainId().catch((cause: unknown) => {
    throw unreachable(cause)
  })
  if (actual !== chainId)
    throw new AppError('wrong_chain', `${hostOf(options.rpcUrl)} is chain ${actual}, this agent is for ${chainId}`)
  const addresses = await readAddresses(client, access).catch((cause: unknown) => {
    throw unreachable(cause)
  })
  const guard = async <T>(read: Promise<T>): Promise<T> => {
    try {
      return await read
    } catch (cause) {
      throw unreachable(cause)
    }
  }

  const firstBlock = () => guard(client.getBlock({ blockNumber: 0n }).then((block) => block.hash))
  const genesis = await firstBlock()
  const expected = options.knownGenesis ?? genesis
  const refuseOther = (found: Hex) => {
    if (found !== expected) throw otherChain(options.rpcUrl, found, expected)
  }
  refuseOther(genesis)

  /** An order stays in the Market that created it. */
  const markets = new Map<bigint, Address>()

  return {
    client,
    addresses,
    chainId,
    genesis,
    async head() {
      const [block, first] = await Promise.all([guard(client.getBlock()), firstBlock()])
      refuseOther(first)
      return { number: block.number, hash: block.hash, timestamp: Number(block.timestamp) }
    },
    async order(orderId) {
      const market = markets.get(orderId) ?? (await guard(marketOf(client, access, orderId)))
      if (market === zeroAddress) return undefined
      const order = await guard(readMarket(client, addresses, 'market', 'getOrder', [orderId], market))
      if (order.id === 0n) return undefined
      markets.set(orderId, market)
      return { ...order, user: lowerCaseAddress(order.user), provider: lowerCaseAddress(order.provider), market }
    },
    node: (nodeId) => guard(getNode(client, addresses, provider, nodeId)),
    async nodes() {
      const all: ChainNode[] = []
      for (let start = 0n; ; start += PAGE) {
        const page = await guard(readMarket(client, addresses, 'registry', 'list_node', [provider, start, PAGE]))
        all.push(...page.filter((node) => node.exist))
        if (page.length < Number(PAGE)) return all
      }
    },
    providerInfo: () => guard(getProvider(client, addresses, provider)),
    async signedBy(wallet, text, signature) {
      if (await isSignedBy(client, wallet, text, signature)) return true
      // The answer is the same whether the chain is unreachable or the account rejects the signature.
      await guard(client.getChainId())
      return false
    },
  }
}

/** What an order entitles its user to at the chain's time `now`. Until an order starts its last settlement is its purchase. */
export function standingOf(order: ChainOrder, now: number): Standing {
  const { status, lastSettleTime, activateTime, duration } = order
  const times = { createTime: Number(lastSettleTime), activateTime: Number(activateTime), duration: Number(duration) }
  return standingAt({ status, ...times }, now)
}

/** Whether an order entitles its user to anything at the chain's time `now`. */
export function isLive(order: ChainOrder, now: number): boolean {
  return isLiveStanding(standingOf(order, now))
}

/** Another chain reuses the same order numbers: an agent that mistook it for its own would stop and wipe running orders. */
function otherChain(rpcUrl: string, found: Hex, expected: Hex): AppError {
  return new AppError(
    'wrong_chain',
    `${hostOf(rpcUrl)} is a different chain from the one this agent worked on: its first block is ${found}, not ${expected}. Nothing was changed, orders keep running. If the RPC address is wrong, correct it; if the chain was started anew, start the agent with a new --data folder`,
    { facts: { genesis: found, expected } },
  )
}

function unreachable(cause: unknown): AppError {
  const error = toAppError(cause)
  if (error.code === 'not_deployed_on_chain') return error
  return new AppError('chain_unreachable', error.message, { cause: error, retryable: true, facts: { reason: error.code } })
}
