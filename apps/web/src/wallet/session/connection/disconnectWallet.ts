import { disconnect } from 'wagmi/actions'
import { api } from '../../../platform/api/api.ts'
import { forgetKeys } from '../../../platform/browser/keyStore.ts'
import { setAccountState, writeLastWallet } from '../../accountState.ts'
import { setSession } from './session.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Ends the session and the connection, and forgets what this browser may open. Works without the platform. */
export async function disconnectWallet({ wagmi }: WalletRuntime): Promise<void> {
  writeLastWallet(undefined)
  setSession(null)
  const connections = [...wagmi.state.connections.values()]
  await Promise.allSettled([api.logout(), forgetKeys(), ...connections.map(({ connector }) => disconnect(wagmi, { connector }))])
  setSession(undefined)
  setAccountState({ status: 'disconnected', supported: false })
}
