import { disconnect, getConnection } from 'wagmi/actions'
import { LAST_WALLET_KEY } from '../../accountState.ts'
import { setSession } from './session.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Disconnecting in one tab ends the session of all of them, so the others disconnect too. */
export function followOtherTabs({ wagmi }: WalletRuntime): void {
  window.addEventListener('storage', async ({ key, newValue }) => {
    if (key !== LAST_WALLET_KEY || newValue !== null || getConnection(wagmi).status !== 'connected') return
    setSession(null)
    await disconnect(wagmi).catch(() => undefined)
    setSession(undefined)
  })
}
