import { disconnect } from 'wagmi/actions'
import { api } from '../../../lib/api.ts'
import { setAccountState, writeLastWallet } from '../../accountState.ts'
import { setSession } from './session.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Ends the session and the connection. Works without the platform. */
export async function disconnectWallet({ wagmi }: WalletRuntime): Promise<void> {
  writeLastWallet(undefined)
  setSession(null)
  const connections = [...wagmi.state.connections.values()]
  await Promise.allSettled([api.logout(), ...connections.map(({ connector }) => disconnect(wagmi, { connector }))])
  setSession(undefined)
  setAccountState({ status: 'disconnected', supported: false })
}
