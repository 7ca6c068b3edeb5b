import { toWalletError } from '@rackfair/sdk/walletError'
import { api } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/queryClient.ts'
import { getSession, setSession } from './session.ts'

const AGAIN_MS = 5000
let asking = false

/** Asks the platform whom it knows this browser as. While it does not answer nobody is signed in, and it is asked again. */
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
  // Somebody who has signed in or disconnected meanwhile has changed the answer.
  if (getSession() === before) setSession(answer)
  if (again) setTimeout(() => getSession() === null && void askSession(), AGAIN_MS)
}
