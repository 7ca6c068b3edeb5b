import { createConnector } from 'wagmi'
import { WALLET_CONNECT } from '../wallets/catalogue.ts'
import { comeToMarket } from './comeToMarket.ts'

type Provider = Awaited<ReturnType<typeof import('./walletConnectProvider.ts')['createWalletConnectProvider']>>

/** WalletConnect, only where a project id is configured. Its code and its relay are touched when it is chosen, never before. */
export function walletConnect(settings: { projectId: string; relayUrl: string }) {
  return createConnector<Provider>((config) => {
    let opening: Promise<Provider> | undefined
    const chain = config.chains[0]
    const open = () => {
      opening ??= import('./walletConnectProvider.ts')
        .then((module) =>
          module.createWalletConnectProvider({
            ...settings,
            chain,
            onUri: (uri) => config.emitter.emit('message', { type: 'display_uri', data: uri }),
            onAccounts: (accounts) => config.emitter.emit('change', { accounts: accounts as never }),
            onChain: (id) => config.emitter.emit('change', { chainId: id }),
            onDisconnect: () => config.emitter.emit('disconnect'),
          }),
        )
        .catch((error: unknown) => {
          opening = undefined
          throw error
        })
      return opening
    }
    return {
      id: WALLET_CONNECT.id,
      name: WALLET_CONNECT.name,
      type: 'walletConnect',
      connect: async (options) => {
        const provider = await open()
        const accounts = options?.isReconnecting ? provider.accounts() : await provider.connect()
        return { accounts: accounts as never, chainId: provider.chainId() }
      },
      switchChain: async () => {
        const at = await comeToMarket(await open(), chain)
        if (at !== chain.id) throw Object.assign(new Error(`The phone stayed on chain ${at}`), { name: 'SwitchChainError' })
        return chain
      },
      disconnect: async () => (await open()).disconnect(),
      getAccounts: async () => (await open()).accounts() as never,
      getChainId: async () => (await open()).chainId(),
      getProvider: open,
      isAuthorized: async () => (await open()).accounts().length > 0,
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => config.emitter.emit('disconnect'),
    }
  })
}
