import type { WalletDescriptor, WalletGroupName } from './WalletDescriptor.ts'

export const DEVELOPMENT_WALLET_ID = 'development'
export const WALLET_CONNECT_ID = 'walletConnect'
/** What wagmi calls the wallet at `window.ethereum`. */
export const BROWSER_WALLET_ID = 'injected'

const EXTENSION = { steps: ['install', 'create', 'refresh'] } as const
const APP = { steps: ['install', 'create', 'scan'] } as const
const DESKTOP = { steps: ['install', 'create', 'open'] } as const

type OfferedWallet = Omit<WalletDescriptor, 'groupName' | 'groupIndex'>
export interface OfferedGroup {
  groupName: WalletGroupName
  wallets: readonly OfferedWallet[]
}

const POPULAR: readonly OfferedWallet[] = [
  {
    id: 'io.metamask',
    rdns: 'io.metamask',
    name: 'MetaMask',
    iconBackground: '#E2761B',
    iconAccent: '#F6851B',
    downloadUrls: {
      chrome: 'https://chromewebstore.google.com/detail/nkbihfbeogaeaoehlefnkodbefgpgknn',
      firefox: 'https://addons.mozilla.org/firefox/addon/ether-metamask',
      browserExtension: 'https://metamask.io/download',
      android: 'https://play.google.com/store/apps/details?id=io.metamask',
      ios: 'https://apps.apple.com/app/metamask/id1438144202',
      mobile: 'https://metamask.io/download',
      qrCode: 'https://metamask.io/download',
    },
    extension: EXTENSION,
    qrCode: APP,
  },
  {
    id: 'io.rabby',
    rdns: 'io.rabby',
    name: 'Rabby Wallet',
    shortName: 'Rabby',
    iconBackground: '#5A66D6',
    iconAccent: '#7084FF',
    downloadUrls: {
      chrome: 'https://chromewebstore.google.com/detail/acmacodkjbdgmoleebolmdjonilkdbch',
      browserExtension: 'https://rabby.io',
      mobile: 'https://rabby.io/download',
      qrCode: 'https://rabby.io/download',
      desktop: 'https://rabby.io/download',
      windows: 'https://rabby.io/download',
      macos: 'https://rabby.io/download',
    },
    extension: EXTENSION,
    qrCode: APP,
    desktop: DESKTOP,
  },
]

const OTHER: readonly OfferedWallet[] = [
  {
    id: 'com.trustwallet.app',
    rdns: 'com.trustwallet.app',
    name: 'Trust Wallet',
    iconBackground: '#0450C2',
    iconAccent: '#0500FF',
    downloadUrls: {
      chrome: 'https://chromewebstore.google.com/detail/egjidjbpglichdcondbcbdnbeeppgdph',
      browserExtension: 'https://trustwallet.com/browser-extension',
      android: 'https://play.google.com/store/apps/details?id=com.wallet.crypto.trustapp',
      ios: 'https://apps.apple.com/app/trust-crypto-bitcoin-wallet/id1288339409',
      mobile: 'https://trustwallet.com/download',
      qrCode: 'https://trustwallet.com/download',
    },
    extension: EXTENSION,
    qrCode: APP,
  },
]

/** Wallets that people are offered when they have none. They are links, never requests: nothing is loaded from these hosts. */
export const CATALOGUE: readonly OfferedGroup[] = [
  { groupName: 'Popular', wallets: POPULAR },
  { groupName: 'Other', wallets: OTHER },
]

export const DEVELOPMENT_WALLET: Omit<WalletDescriptor, 'groupIndex'> = {
  id: DEVELOPMENT_WALLET_ID,
  name: 'Development wallet',
  iconBackground: '#15171A',
  iconAccent: '#C2410C',
  installed: true,
  groupName: 'Recommended',
}

/** A wallet from before EIP-6963: it does not say what it is called. */
export const BROWSER_WALLET: Omit<WalletDescriptor, 'groupIndex'> = {
  id: BROWSER_WALLET_ID,
  name: 'Browser wallet',
  iconBackground: '#4B5563',
  installed: true,
  groupName: 'Installed',
}

export const WALLET_CONNECT: Omit<WalletDescriptor, 'groupIndex'> = {
  id: WALLET_CONNECT_ID,
  name: 'WalletConnect',
  iconBackground: '#1F7AD6',
  iconAccent: '#3396FF',
  installed: true,
  groupName: 'More',
  qrCode: { steps: ['install', 'create', 'scan'] },
}
