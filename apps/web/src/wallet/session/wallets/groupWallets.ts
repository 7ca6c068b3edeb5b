import { WALLET_GROUPS, type WalletDescriptor, type WalletGroupName } from './WalletDescriptor.ts'

export interface WalletGroup {
  name: WalletGroupName
  wallets: readonly WalletDescriptor[]
}

/** Wallets by group, in the order of the specification; recently used ones first in theirs. Groups without wallets are left out. */
export function groupWallets(wallets: readonly WalletDescriptor[], recent: readonly string[]): readonly WalletGroup[] {
  const rank = (wallet: WalletDescriptor) => {
    const at = recent.indexOf(wallet.id)
    return at < 0 ? recent.length : at
  }
  return WALLET_GROUPS.map((name) => ({
    name,
    wallets: wallets
      .filter((wallet) => wallet.groupName === name)
      .sort((a, b) => rank(a) - rank(b) || a.groupIndex - b.groupIndex),
  })).filter((group) => group.wallets.length > 0)
}
