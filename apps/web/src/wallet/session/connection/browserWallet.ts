import { toWalletError } from '@rackfair/sdk/walletError'
import type { Address } from 'viem'
import { createConnector, ProviderNotFoundError } from 'wagmi'
import { comeToMarket, type MarketTimes } from './comeToMarket.ts'
import { guardProvider, type WalletProvider } from './guardProvider.ts'
import { readAccounts, readChainId } from './walletAnswers.ts'

export interface BrowserWallet {
  id: string
  name: string
  icon?: string | undefined
  /** What the wallet has put into the page, now. */
  find: () => unknown
  /** Whether it announced itself: then it is asked anew which account the page may see, and may connect by itself. */
  announced: boolean
  times?: MarketTimes
}

/** A wallet in the browser, whose answers and events are a stranger's. Connecting ends on its own network where it does not change it. */
export function browserWallet({ id, name, icon, find, announced, times }: BrowserWallet) {
  return createConnector<WalletProvider>((config) => {
    const chain = config.chains[0]
    let found: unknown
    let guarded: WalletProvider | undefined
    const open = (): WalletProvider => {
      const now = find()
      if (now === undefined || now === null) throw new ProviderNotFoundError()
      if (!guarded || found !== now) {
        guarded = guardProvider(now)
        listen(guarded)
      }
      found = now
      return guarded
    }
    const accountsBy = async (method: string) => ((await open().request({ method })) as readonly Address[]) ?? []
    const chainId = async () => readChainId(await open().request({ method: 'eth_chainId' })) ?? 0

    /** The page connects by itself when a wallet that it has left gives it an account. */
    const tellAccounts = async (accounts: readonly Address[]) => {
      if (accounts.length === 0) config.emitter.emit('disconnect')
      else if (config.emitter.listenerCount('connect') > 0) config.emitter.emit('connect', { accounts, chainId: await chainId() })
      else config.emitter.emit('change', { accounts })
    }
    const listen = (provider: WalletProvider) => {
      /** An event that makes no sense is a reason to ask. */
      const hear = (event: string, act: (data: unknown) => Promise<void>) =>
        provider.on(event, (data) => void act(data).catch(() => undefined))
      hear('accountsChanged', async (data) => tellAccounts(readAccounts(data) ?? (await accountsBy('eth_accounts'))))
      hear('chainChanged', async (data) => config.emitter.emit('change', { chainId: readChainId(data) ?? (await chainId()) }))
      hear('connect', async () => {
        if (config.emitter.listenerCount('connect') === 0) return
        const accounts = await accountsBy('eth_accounts')
        if (accounts.length > 0) await tellAccounts(accounts)
      })
      hear('disconnect', async (data) => {
        // MetaMask is away for a moment, and comes back.
        const isBrief = (data as { code?: unknown } | null | undefined)?.code === 1013
        if (!isBrief || (await accountsBy('eth_accounts')).length === 0) config.emitter.emit('disconnect')
      })
    }

    const askAccounts = async () => {
      if (announced) {
        try {
          await open().request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
          const accounts = await accountsBy('eth_accounts')
          if (accounts.length > 0) return accounts
        } catch (error) {
          // Few wallets know the request. One that is asking already would show the same question twice.
          const isAsking = (error as { code?: unknown }).code === -32002
          if (isAsking || ['user_rejected', 'wallet_silent'].includes(toWalletError(error).code)) throw error
        }
      }
      return accountsBy('eth_requestAccounts')
    }

    return {
      id,
      name,
      ...(icon === undefined ? {} : { icon }),
      type: 'injected',
      setup: async () => {
        // What stands at the window is often an announced wallet, which is heard already.
        if (announced) open()
      },
      connect: async (options) => {
        const isReconnecting = options?.isReconnecting === true
        const accounts = isReconnecting ? await accountsBy('eth_accounts') : await askAccounts()
        if (accounts.length === 0) throw Object.assign(new Error('The wallet gave no account'), { code: 4100 })
        const at = await chainId()
        return {
          accounts: accounts as never,
          chainId: isReconnecting || at === chain.id ? at : await comeToMarket(open(), chain, times),
        }
      },
      switchChain: async () => {
        const at = await comeToMarket(open(), chain, times)
        if (at !== chain.id) throw Object.assign(new Error(`The wallet stayed on chain ${at}`), { name: 'SwitchChainError' })
        config.emitter.emit('change', { chainId: at })
        return chain
      },
      disconnect: async () => {
        // Not all wallets know it, and some never answer.
        const revoked = open().request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
        await Promise.race([revoked.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 100))])
      },
      getAccounts: () => accountsBy('eth_accounts'),
      getChainId: chainId,
      getProvider: async () => open(),
      isAuthorized: async () => (await accountsBy('eth_accounts').catch(() => [])).length > 0,
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => config.emitter.emit('disconnect'),
    }
  })
}
