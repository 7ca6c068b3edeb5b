import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import type { ConfigAnswer } from '@rackfair/core/wire'
import { createConfig, http } from 'wagmi'
import { injected } from 'wagmi/connectors/injected'
import { api } from '../../../lib/api.ts'
import { chainOf } from '../chainOf.ts'
import { platformAuth } from '../signIn/platformAuth.ts'
import { createTransactionStore } from '../transactions/TransactionStore.ts'
import { checkWallets } from '../wallets/checkWallets.ts'
import { groupWallets } from '../wallets/groupWallets.ts'
import { listWallets } from '../wallets/listWallets.ts'
import { developmentWallet } from './developmentWallet.ts'
import { followConnection } from './followConnection.ts'
import { followOtherTabs } from './followOtherTabs.ts'
import { reconnectLast } from './reconnectLast.ts'
import type { WalletRuntime } from './WalletRuntime.ts'
import { walletConnect } from './walletConnect.ts'

/** Makes the wagmi configuration of this installation, takes up the last connection and follows it. */
export async function startRuntime(installation: ConfigAnswer): Promise<WalletRuntime> {
  const chain = chainOf(installation)
  const projectId = installation.walletConnectProjectId
  checkWallets({
    groups: groupWallets(listWallets([], { chainId: chain.id, projectId }), []).map((group) => ({
      groupName: group.name,
      wallets: group.wallets,
    })),
    modalId: 'rackfair',
    walletConnect: projectId !== null,
    projectId,
    chainIds: [chain.id],
  })
  const wagmi = createConfig({
    chains: [chain],
    transports: { [chain.id]: http(installation.rpcUrl) },
    storage: null,
    syncConnectedChain: false,
    connectors: [
      ...(chain.id === DEVELOPMENT_CHAIN_ID ? [developmentWallet(installation.rpcUrl)] : []),
      ...(projectId === null ? [] : [walletConnect({ projectId, relayUrl: installation.walletConnectRelayUrl })]),
      ...(hasLegacyWallet() ? [injected({ shimDisconnect: false })] : []),
    ],
  })
  const runtime: WalletRuntime = { wagmi, installation, transactions: createTransactionStore(storage), auth: platformAuth(api) }
  followConnection(runtime)
  followOtherTabs(runtime)
  await reconnectLast(runtime)
  return runtime
}

/** Where a browser blocks the data of sites, even the name of its storage throws, so that is only said when it is used. */
const storage = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => localStorage.setItem(key, value),
}

/** A wallet from before EIP-6963 only puts itself at `window.ethereum`. */
function hasLegacyWallet(): boolean {
  return 'ethereum' in window && window.ethereum !== undefined
}
