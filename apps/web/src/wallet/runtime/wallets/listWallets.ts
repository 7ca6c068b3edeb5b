import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import { CATALOGUE, DEVELOPMENT_WALLET, DEVELOPMENT_WALLET_ID, WALLET_CONNECT, WALLET_CONNECT_ID } from './catalogue.ts'
import type { WalletDescriptor } from './WalletDescriptor.ts'

/** What an extension says of itself. */
export interface AnnouncedWallet {
  id: string
  name: string
  icon?: string | undefined
}

/** The wallets that can be chosen here: announced ones, the development wallet on its chain, WalletConnect when configured, and what there is to get. */
export function listWallets(
  announced: readonly AnnouncedWallet[],
  settings: { chainId: number; projectId: string | null },
): readonly WalletDescriptor[] {
  const found = new Map(
    announced
      .filter((wallet) => wallet.id !== DEVELOPMENT_WALLET_ID && wallet.id !== WALLET_CONNECT_ID)
      .map((wallet) => [wallet.id, wallet]),
  )
  const known = CATALOGUE.filter((wallet) => !found.has(wallet.id))
  const installed = [...found.values()].map((wallet): Omit<WalletDescriptor, 'groupIndex'> => {
    const entry = CATALOGUE.find((other) => other.id === wallet.id)
    return {
      iconBackground: DEVELOPMENT_WALLET.iconBackground,
      ...entry,
      id: wallet.id,
      rdns: wallet.id,
      name: wallet.name,
      ...(wallet.icon?.startsWith('data:image/') ? { iconUrl: wallet.icon } : {}),
      installed: true,
      groupName: 'Installed',
    }
  })
  return [
    ...installed,
    ...(settings.chainId === DEVELOPMENT_CHAIN_ID ? [DEVELOPMENT_WALLET] : []),
    ...known,
    ...(settings.projectId ? [WALLET_CONNECT] : []),
  ].map((wallet, groupIndex) => ({ ...wallet, groupIndex }))
}
