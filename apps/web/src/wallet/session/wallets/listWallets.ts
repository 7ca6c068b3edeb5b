import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import {
  BROWSER_WALLET,
  BROWSER_WALLET_ID,
  CATALOGUE,
  DEVELOPMENT_WALLET,
  DEVELOPMENT_WALLET_ID,
  type OfferedGroup,
  WALLET_CONNECT,
  WALLET_CONNECT_ID,
} from './catalogue.ts'
import type { WalletDescriptor } from './WalletDescriptor.ts'
import { downloadWays } from './wizard.ts'

/** Connectors that stand in the list by themselves. */
const OWN: ReadonlySet<string> = new Set([BROWSER_WALLET_ID, DEVELOPMENT_WALLET_ID, WALLET_CONNECT_ID])

/** What an extension says of itself. */
export interface AnnouncedWallet {
  id: string
  name: string
  icon?: string | undefined
}

/**
 * The wallets of the list: announced ones, the development wallet on its chain, what there is to get, and WalletConnect.
 * One that can neither be connected here nor be got, as WalletConnect without a project id, is unsupported.
 * Extensions that announce themselves also stand at `window.ethereum`: what is there is listed only while none does.
 */
export function listWallets(
  announced: readonly AnnouncedWallet[],
  settings: { chainId: number; projectId: string | null },
  catalogue: readonly OfferedGroup[] = CATALOGUE,
): readonly WalletDescriptor[] {
  const found = new Map(announced.filter(({ id }) => !OWN.has(id)).map((wallet) => [wallet.id, wallet]))
  const legacy = found.size === 0 && announced.some(({ id }) => id === BROWSER_WALLET_ID)
  const offered = catalogue.flatMap(({ groupName, wallets }) => wallets.map((wallet) => ({ ...wallet, groupName })))
  const known = offered.filter((wallet) => !found.has(wallet.id))
  const installed = [...found.values()].map((wallet): Omit<WalletDescriptor, 'groupIndex'> => {
    const entry = offered.find((other) => other.id === wallet.id)
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
  const unsorted: Omit<WalletDescriptor, 'groupIndex'>[] = [
    ...installed,
    ...(legacy ? [BROWSER_WALLET] : []),
    ...(settings.chainId === DEVELOPMENT_CHAIN_ID ? [DEVELOPMENT_WALLET] : []),
    ...known,
    { ...WALLET_CONNECT, installed: Boolean(settings.projectId) },
  ]
  return unsorted.map((wallet, groupIndex) => ({
    ...wallet,
    groupIndex,
    unsupported: !wallet.installed && downloadWays(wallet).length === 0,
  }))
}
