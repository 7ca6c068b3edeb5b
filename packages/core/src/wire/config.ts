import { z } from 'zod'
import { addressString, count } from './scalars.ts'

const link = z.string().url().nullable()

/** `GET /v1/config`: what the web app needs to know of this installation. Nothing here is secret. */
export const configAnswer = z.object({
  chainId: count,
  chainName: z.string(),
  /** Where a browser reaches the chain. */
  rpcUrl: z.string(),
  explorerUrl: link,
  /** Where Access is deployed; everything else is read through it. */
  access: addressString,
  faucet: z.boolean(),
  /** Where Credit is to be had when there is no faucet. */
  creditLink: link,
  walletConnectProjectId: z.string().nullable(),
  /** Where pages and phones meet when there is a project id. */
  walletConnectRelayUrl: z.string(),
  mainnetRpcUrl: link,
  contact: z.string().nullable(),
  social: z.array(z.object({ name: z.string(), url: z.string().url() })),
  version: z.string(),
})
export type ConfigAnswer = z.infer<typeof configAnswer>
