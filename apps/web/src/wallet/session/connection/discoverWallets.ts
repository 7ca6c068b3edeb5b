import type { Config } from 'wagmi'
import { BROWSER_WALLET, BROWSER_WALLET_ID, DEVELOPMENT_WALLET_ID, WALLET_CONNECT_ID } from '../wallets/catalogue.ts'
import { type BrowserWallet, browserWallet } from './browserWallet.ts'

/** More than anybody has installed. */
const MOST = 50
const MAX_NAME = 64
const MAX_ICON = 200_000
/** For so long after the start a wallet is expected to appear by itself, in milliseconds. */
const EXPECTED_MS = 10_000
const POLL_MS = 250

const TAKEN: ReadonlySet<string> = new Set([BROWSER_WALLET_ID, DEVELOPMENT_WALLET_ID, WALLET_CONNECT_ID])

/**
 * Lists wallets as they appear in the page: those that announce themselves (EIP-6963), and what older ones put at `window.ethereum`, which
 * in the browsers of some apps happens seconds after the page has loaded.
 *
 * @returns looks at the window again, for a dialog that is open.
 */
export function discoverWallets(wagmi: Config): () => void {
  const { connectors } = wagmi._internal
  const add = (wallet: BrowserWallet) => {
    if (wagmi.connectors.length >= MOST || wagmi.connectors.some(({ id }) => id === wallet.id)) return
    const connector = connectors.setup(browserWallet(wallet))
    connectors.setState((list) => [...list, connector])
  }
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = ((event as CustomEvent).detail ?? {}) as { info?: unknown; provider?: unknown }
    const wallet = readInfo(info)
    if (wallet && typeof provider === 'object' && provider !== null) add({ ...wallet, find: () => provider, announced: true })
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const look = () => {
    if (windowWallet()) add({ ...BROWSER_WALLET, find: windowWallet, announced: false })
  }
  look()
  window.addEventListener('ethereum#initialized', look)
  const until = Date.now() + EXPECTED_MS
  const timer = setInterval(() => {
    look()
    if (windowWallet() || Date.now() > until) clearInterval(timer)
  }, POLL_MS)
  return look
}

function windowWallet(): object | undefined {
  const { ethereum } = window as { ethereum?: unknown }
  return typeof ethereum === 'object' && ethereum !== null ? ethereum : undefined
}

/** What a wallet says of itself. One without a name of its own in the web's order (`rdns`) goes by the one that it shows. */
function readInfo(info: unknown): Pick<BrowserWallet, 'id' | 'name' | 'icon'> | undefined {
  if (typeof info !== 'object' || info === null) return undefined
  const { rdns, name, icon } = info as Record<string, unknown>
  const own = typeof rdns === 'string' && rdns !== '' && rdns.length <= 255 && !TAKEN.has(rdns) ? rdns : undefined
  const shown = typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, MAX_NAME) : own?.slice(0, MAX_NAME)
  if (shown === undefined) return undefined
  const picture = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= MAX_ICON ? icon : undefined
  return { id: own ?? `name:${shown}`, name: shown, icon: picture }
}
