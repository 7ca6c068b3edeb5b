import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import type { Hex } from 'viem'
import { createConnector } from 'wagmi'
import { DEVELOPMENT_WALLET } from '../wallets/catalogue.ts'

type Signer = typeof import('./developmentSigner.ts')
type DevelopmentProvider = ReturnType<Signer['createDevelopmentProvider']>

const KEY = 'rackfair.developmentWallet'

/** A wallet for chain 2985 only: its key is in this browser, it signs without asking. The signing code is loaded when it is chosen. */
export function developmentWallet(rpcUrl: string) {
  return createConnector<DevelopmentProvider>((config) => {
    let provider: Promise<DevelopmentProvider> | undefined
    const open = () => {
      provider ??= import('./developmentSigner.ts').then((signer) =>
        signer.createDevelopmentProvider(readOrMakeKey(signer), rpcUrl),
      )
      return provider
    }
    return {
      id: DEVELOPMENT_WALLET.id,
      name: DEVELOPMENT_WALLET.name,
      type: 'development',
      connect: async () => ({ accounts: [(await open()).address] as never, chainId: DEVELOPMENT_CHAIN_ID }),
      disconnect: async () => undefined,
      getAccounts: async () => [(await open()).address],
      getChainId: async () => DEVELOPMENT_CHAIN_ID,
      getProvider: open,
      isAuthorized: async () => readKey() !== undefined,
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => config.emitter.emit('disconnect'),
    }
  })
}

function readKey(): Hex | undefined {
  try {
    const stored = localStorage.getItem(KEY)
    return stored !== null && /^0x[0-9a-f]{64}$/.test(stored) ? (stored as Hex) : undefined
  } catch {
    return undefined
  }
}

function readOrMakeKey(signer: Signer): Hex {
  const key = readKey() ?? signer.makeKey()
  try {
    localStorage.setItem(KEY, key)
  } catch {
    // Without storage the wallet lasts as long as the page.
  }
  return key
}
