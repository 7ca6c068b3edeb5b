import type { ConfigAnswer } from '@rackfair/core/wire'

export type Role = 'all' | 'api' | 'indexer'

/** Everything the program is told at its start. */
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
  /** Origins that may sign in and call with cookies; the first is the public address. */
  origins: string[]
  /** Where browsers reach each of several processes by itself, this one's first. Empty where there is one. */
  relayUrls: string[]
  /** The earliest version of agents that are taken; undefined takes every one. */
  minAgentVersion: string | undefined
  /** Believe X-Forwarded-For from a proxy on this many hops. */
  trustedProxies: number
  /** Multiplies every rate limit; 0 switches them off. */
  rateScale: number
  deployment: MarketDeployment
  /** The operator's mail server, for alerts; undefined where this market sends no mail. */
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
}
