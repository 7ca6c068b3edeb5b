import type { ConfigAnswer } from '@rackfair/protocol/config'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { createConfig, http } from 'wagmi'
import { api } from '../../../platform/api/api.ts'
import { chainOf } from '../chainOf.ts'
import { platformAuth } from '../signIn/platformAuth.ts'
import { createTransactionStore } from '../transactions/TransactionStore.ts'
import { CATALOGUE, type OfferedGroup, WALLET_CONNECT } from '../wallets/catalogue.ts'
import { checkWallets } from '../wallets/checkWallets.ts'
import { developmentWallet } from './developmentWallet.ts'
import { discoverWallets } from './discoverWallets.ts'
import { followConnection } from './followConnection.ts'
import { followOtherTabs } from './followOtherTabs.ts'
import { reconnectLast } from './reconnectLast.ts'
import type { WalletRuntime } from './WalletRuntime.ts'
import { walletConnect } from './walletConnect.ts'

/**
 * Makes the wagmi configuration of this installation, takes up the last connection and follows it.
 * @throws when the settings of the wallets are wrong, with every problem of them.
 */
export async function startRuntime(
  installation: ConfigAnswer,
  catalogue: readonly OfferedGroup[] = CATALOGUE,
): Promise<WalletRuntime> {
  const chain = chainOf(installation)
  // An empty value counts as unset.
  const projectId = installation.walletConnectProjectId || null
  const wagmi = createConfig({
    chains: [chain],
    transports: { [chain.id]: http(installation.rpcUrl) },
    storage: null,
    syncConnectedChain: false,
    // Wallets are strangers: they are found and asked by our own connector.
    multiInjectedProviderDiscovery: false,
    connectors: [
      ...(chain.id === DEVELOPMENT_CHAIN_ID ? [developmentWallet(installation.rpcUrl)] : []),
      ...(projectId === null ? [] : [walletConnect({ projectId, relayUrl: installation.walletConnectRelayUrl })]),
    ],
  })
  checkWallets({
    groups: catalogue,
    walletConnect: wagmi.connectors.some(({ id }) => id === WALLET_CONNECT.id),
    projectId,
    chainIds: wagmi.chains.map(({ id }) => id),
  })
  const runtime: WalletRuntime = {
    wagmi,
    installation,
    catalogue,
    transactions: createTransactionStore(storage),
    auth: platformAuth(api),
    lookForWallets: discoverWallets(wagmi),
  }
  followConnection(runtime)
  followOtherTabs(runtime)
  await reconnectLast(runtime)
  return runtime
}

/** If a browser blocks site data, even accessing the storage property throws, so it is accessed lazily. */
const storage = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem: (key: string, value: string) => localStorage.setItem(key, value),
}
