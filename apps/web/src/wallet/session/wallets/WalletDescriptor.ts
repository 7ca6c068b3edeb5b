/** A wallet of the list (product specification, point 3), with how it is connected. */
export interface WalletDescriptor {
  id: string
  name: string
  shortName?: string
  /** Name under which an extension announces itself (EIP-6963). */
  rdns?: string
  /** A picture inside the page (data URL); without one its first letter is drawn. */
  iconUrl?: string
  iconBackground: string
  iconAccent?: string
  installed?: boolean
  /** Set when the wallet exists but cannot be used here. */
  unsupported?: boolean
  downloadUrls?: Partial<Record<DownloadTarget, string>>
  /** Steps by which the app scans a QR code. */
  qrCode?: WalletInstructions
  extension?: WalletInstructions
  desktop?: WalletInstructions
  groupName: WalletGroupName
  groupIndex: number
}

export type DownloadTarget =
  | 'android'
  | 'ios'
  | 'mobile'
  | 'qrCode'
  | 'chrome'
  | 'edge'
  | 'firefox'
  | 'opera'
  | 'safari'
  | 'browserExtension'
  | 'windows'
  | 'macos'
  | 'linux'
  | 'desktop'

export interface WalletInstructions {
  steps: readonly InstructionStep[]
}
/** Written in the user's language. `open`: the page is opened in the browser that the wallet brings along. */
export type InstructionStep = 'install' | 'create' | 'refresh' | 'scan' | 'open'

export const WALLET_GROUPS = ['Installed', 'Recommended', 'Popular', 'Other', 'More'] as const
export type WalletGroupName = (typeof WALLET_GROUPS)[number]
