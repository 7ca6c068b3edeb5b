import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Address } from 'viem'
import type { AccountState } from '../../accountState.ts'

/** What wagmi knows of the connection. */
export interface ConnectionFacts {
  status: 'connected' | 'reconnecting' | 'connecting' | 'disconnected'
  address: Address | undefined
  chainId: number | undefined
}

/** The session's address, `undefined` while it is being asked for, `null` when there is none. */
export type SessionFact = string | null | undefined

/** One state from the wallet's connection and the platform's session. */
export function accountStateOf(connection: ConnectionFacts, session: SessionFact, marketChainId: number): AccountState {
  const { status, address, chainId } = connection
  if (status === 'connecting') return { status: 'connecting', supported: false }
  if (status === 'disconnected') return { status: 'disconnected', supported: false }
  if (status === 'reconnecting' || address === undefined || chainId === undefined) return { status: 'loading', supported: false }
  const lowerCase = lowerCaseAddress(address)
  const known = { address, lowerCase, chainId, supported: chainId === marketChainId }
  if (session === undefined) return { ...known, status: 'loading' }
  return { ...known, status: session !== null && lowerCaseAddress(session) === lowerCase ? 'connected' : 'unauthenticated' }
}
