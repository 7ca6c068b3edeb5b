import { toWalletError } from '@rackfair/sdk/walletError'
import { api } from '../../../platform/api/api.ts'
import { queryClient } from '../../../platform/api/queryClient.ts'
import { getSession, setSession } from './session.ts'

const AGAIN_MS = 5000
let asking = false

/** Queries the platform for this browser's session. While it does not answer, nobody is signed in, and the query is retried. */
export async function askSession(): Promise<void> {
  if (asking) return
  asking = true
  const before = getSession()
  let answer: string | null = null
  let again = false
  try {
    answer = (await queryClient.fetchQuery({ queryKey: ['session'], queryFn: () => api.session(), staleTime: 0 })).address
  } catch (error) {
    again = toWalletError(error).retryable
  }
  asking = false
  // The user has signed in or disconnected meanwhile, so the answer is stale.
  if (getSession() === before) setSession(answer)
  if (again) setTimeout(() => getSession() === null && void askSession(), AGAIN_MS)
}
