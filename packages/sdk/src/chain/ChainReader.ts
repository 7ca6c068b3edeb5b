import type { Client, Transport } from 'viem'

/** Any viem client with a transport: public, wallet, test. */
export type ChainReader = Client<Transport>
