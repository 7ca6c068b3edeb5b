import { getConnection, watchConnection } from 'wagmi/actions'
import { getAccountState, setAccountState, writeLastWallet } from '../../accountState.ts'
import { awaitPending } from '../transactions/awaitPending.ts'
import { noteRecentWallet } from '../wallets/recentWallets.ts'
import { accountStateOf, type SessionFact } from './accountStateOf.ts'
import { askSession } from './askSession.ts'
import { leaveOthers } from './leaveOthers.ts'
import { onSessionChange, sessionOf } from './session.ts'
import type { WalletRuntime } from './WalletRuntime.ts'

/** Keeps the page's account state in step with the wallet and with the session. */
export function followConnection(runtime: WalletRuntime): void {
  const { wagmi, installation } = runtime
  let followed = ''
  const update = () => {
    const connection = getConnection(wagmi)
    const session: SessionFact = connection.address === undefined ? undefined : sessionOf(connection.address)
    const who = connection.status === 'connected' ? `${connection.connector.uid} ${connection.address}` : ''
    if (connection.status === 'connected' && who !== followed) {
      writeLastWallet(connection.connector.id)
      noteRecentWallet(connection.connector.id)
      void leaveOthers(wagmi)
      void awaitPending(runtime, connection.address, installation.chainId)
    }
    if (connection.status === 'connected' || connection.status === 'disconnected') followed = who
    if (connection.status === 'connected' && session === undefined) void askSession()
    // During page load nobody can choose a wallet, so the last one is being reconnected.
    const resuming = connection.status === 'connecting' && getAccountState().status === 'loading'
    const facts = { ...connection, ...(resuming ? { status: 'reconnecting' as const } : {}) }
    setAccountState(accountStateOf(facts, session, installation.chainId))
  }
  watchConnection(wagmi, { onChange: update })
  onSessionChange(update)
}
