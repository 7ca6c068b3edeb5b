import { deploymentOf } from '@rackfair/contracts/deployments'
import type { ConfigAnswer } from '@rackfair/protocol/config'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { type Account, type Address, createClient, http, type LocalAccount } from 'viem'
import { getChainId } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { type MarketAddresses, readAddresses } from '../chain/readAddresses.ts'
import type { ChainWriter } from '../chain/sendCall.ts'
import { appError } from '../errors/appError.ts'
import { toAppError } from '../errors/toAppError.ts'
import { type Api, createApi } from '../http/createApi.ts'
import type { WebSocketClass } from '../workspace/openSession.ts'

/** What the verbs work with: the platform's API, a client of the chain, and the addresses of the contracts. */
export interface Market {
  api: Api
  /** Origin of the platform that answered first, for example `https://market.example`. */
  platform: string
  client: ChainReader
  chainId: number
  addresses: MarketAddresses
  /** The factory of purses; undefined where the market has none. */
  purses?: Address | undefined
  /** For runtimes without a global WebSocket: Node before 22. */
  WebSocket?: WebSocketClass | undefined
}

/** A market with the wallet that acts on it. */
export interface Renter extends Market {
  wallet: ChainWriter & { account: Account }
  /** The purse that buys: the wallet is then its owner, or one of its keys; see `withPurse`. */
  purse?: Address | undefined
}

/** What a payment needs of a renter: everything but the platform. */
export type Payer = Pick<Renter, 'client' | 'chainId' | 'addresses' | 'purses' | 'wallet' | 'purse'>

export interface ConnectOptions {
  /**
   * Origin of the platform, for example `https://market.example`. Several, in a list or with commas between them, are tried in
   * order while one does not answer.
   */
  platform: string | readonly string[]
  /** RPC of the chain; defaults to the one that the platform names. */
  rpcUrl?: string | undefined
  /** Address of the Access contract. Defaults to the one that this package knows for the chain, else to the one that the platform names. */
  access?: Address | undefined
  fetch?: typeof fetch
  WebSocket?: WebSocketClass | undefined
}

/** The development chain mines immediately. */
const DEVELOPMENT_POLL_MS = 100
const POLL_MS = 1_000

/**
 * Connects to a market. On chains that this package knows, it takes the contract addresses from its own list, not from the platform.
 *
 * @throws AppError `platform_unreachable`, `rpc_unreachable` (retryable), `wrong_network` if the RPC serves another chain,
 * `not_deployed_on_chain`.
 * @example const market = await connectMarket({ platform: 'http://127.0.0.1:3000' })
 */
export async function connectMarket(options: ConnectOptions): Promise<Market> {
  let known: ConfigAnswer | undefined
  const api = createApi({
    baseUrl: [options.platform].flat().flatMap((text) => text.split(',').map((one) => one.trim().replace(/\/+$/, ''))),
    credentials: 'omit',
    ...(options.fetch ? { fetch: options.fetch } : {}),
    isSameMarket: (other) =>
      !known || (other.chainId === known.chainId && other.access.toLowerCase() === known.access.toLowerCase()),
  })
  const config = await api.config()
  known = config
  const { chainId } = config
  const isDevelopment = chainId === DEVELOPMENT_CHAIN_ID
  const client = createClient({
    transport: http(options.rpcUrl ?? config.rpcUrl),
    pollingInterval: isDevelopment ? DEVELOPMENT_POLL_MS : POLL_MS,
    cacheTime: 0,
  })
  const found = await getChainId(client).catch((error: unknown) => {
    throw toAppError(error)
  })
  if (found !== chainId) throw appError('wrong_network', `the RPC is of chain ${found}, the market of chain ${chainId}`)
  const ours = isDevelopment ? undefined : deploymentOf(chainId)
  const addresses = await readAddresses(client, options.access ?? ours?.access ?? (config.access as Address))
  const purses = ours ? ours.purseFactory : (config.purseFactory as Address | undefined)
  return { api, platform: api.platform(), client, chainId, addresses, purses, WebSocket: options.WebSocket }
}

/**
 * The same market with an account that signs and pays.
 * @example const renter = withAccount(market, privateKeyToAccount(process.env.RACKFAIR_KEY))
 */
export function withAccount(market: Market, account: LocalAccount): Renter {
  const { transport, pollingInterval } = market.client
  const wallet = createClient({ account: account as Account, transport: () => transport as never, pollingInterval, cacheTime: 0 })
  return { ...market, wallet: wallet as Renter['wallet'] }
}
