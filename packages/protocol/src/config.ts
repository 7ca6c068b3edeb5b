import { z } from 'zod'
import { addressString, count } from './scalars.ts'

const link = z.string().url().nullable()

/** `GET /v1/config`: what the web app needs to know about this installation. Nothing here is secret. */
export const configAnswer = z.object({
  chainId: count,
  chainName: z.string(),
  /** The chain's RPC for browsers. */
  rpcUrl: z.string(),
  explorerUrl: link,
  /** Address of Access, from which everything else is read. */
  access: addressString,
  /** Makes purses; absent where the market has none. */
  purseFactory: addressString.optional(),
  faucet: z.boolean(),
  /** Where to get Credit if there is no faucet. */
  creditLink: link,
  walletConnectProjectId: z.string().nullable(),
  /** WalletConnect relay for pages and phones, used if there is a project id. */
  walletConnectRelayUrl: z.string(),
  mainnetRpcUrl: link,
  contact: z.string().nullable(),
  social: z.array(z.object({ name: z.string(), url: z.string().url() })),
  version: z.string(),
})
export type ConfigAnswer = z.infer<typeof configAnswer>
