import type { WalletDescriptor } from './WalletDescriptor.ts'

/** What an installation sets about the wallet dialogs. */
export interface WalletSettings {
  groups: readonly { groupName: string; wallets: readonly Pick<WalletDescriptor, 'id' | 'name' | 'iconAccent'>[] }[]
  /** Part of the ids of the dialogs' elements. */
  modalId?: string
  theme?: unknown
  walletConnect: boolean
  projectId: string | null
  chainIds: readonly number[]
}

/** Checks the settings (product specification, point 5). Throws with every problem at once. */
export function checkWallets(settings: WalletSettings): void {
  const problems: string[] = []
  if (settings.groups.length === 0) problems.push('No wallets provided')
  for (const group of settings.groups) {
    if (group.wallets.length === 0) problems.push(`No wallets provided for group: ${group.groupName}`)
    for (const wallet of group.wallets) {
      if (wallet.iconAccent !== undefined && !/^#([0-9a-fA-F]{3}){1,2}$/.test(wallet.iconAccent))
        problems.push(`Property \`iconAccent\` is not a hex value for wallet: ${wallet.name}`)
    }
  }
  if (typeof settings.theme === 'function') problems.push('The theme must be an object, not a function')
  if (settings.modalId !== undefined && !/^[a-zA-Z0-9_]+$/.test(settings.modalId))
    problems.push('The modal id may contain only letters, digits and underscores')
  if (settings.walletConnect && !settings.projectId) problems.push('No projectId found: WalletConnect needs one')
  if (settings.chainIds.length === 0) problems.push('No chain is configured to connect to')
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
