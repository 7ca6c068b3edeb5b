import type { ConfigAnswer } from '@rackfair/protocol/config'

export type Role = 'all' | 'api' | 'indexer'

/** The configuration of the program. */
export interface Settings {
  role: Role
  host: string
  port: number
  rpcUrl: string
  publicRpcUrl: string
  wsUrl: string | undefined
  pollMs: number
  dataFolder: string
  databaseUrl: string | undefined
  webFolder: string | undefined
  presetsFolder: string
  faucetKey: `0x${string}` | undefined
  /** Origins at which people may sign in; the first is the public address. */
  origins: string[]
  /** The individual URLs for browsers of several processes, this one's first. Empty for a single process. */
  relayUrls: string[]
  /** The earliest agent version accepted; undefined accepts every version. */
  minAgentVersion: string | undefined
  /** Number of proxy hops whose X-Forwarded-For is trusted. */
  trustedProxies: number
  /** Multiplies every rate limit; 0 disables them. */
  rateScale: number
  deployment: MarketDeployment
  /** The operator's mail server, for alerts; undefined if this market sends no mail. */
  smtp: { url: string; from: string } | undefined
  site: Pick<
    ConfigAnswer,
    'explorerUrl' | 'creditLink' | 'walletConnectProjectId' | 'walletConnectRelayUrl' | 'mainnetRpcUrl' | 'contact' | 'social'
  >
}

export interface MarketDeployment {
  chainId: number
  fromBlock: number
  access: `0x${string}`
  registry: `0x${string}`
  pledge: `0x${string}`
  market: `0x${string}`
  credit: `0x${string}`
  monitors: `0x${string}`
  purseFactory?: `0x${string}` | undefined
}
