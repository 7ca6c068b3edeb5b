import type { AppError } from '@rackfair/rules/errors/AppError'
import { toWalletError } from '@rackfair/sdk/walletError'
import type { Address, Hex } from 'viem'
import { type AuthAdapter, requireAdapter } from './AuthAdapter.ts'

export type SignInPhase = 'idle' | 'signing' | 'verifying'
export type SignInProblem = 'preparing_error' | 'signing_error' | 'verifying_error' | 'oops_error'
/** `rejected` is silent: the user declined in the wallet. */
export type SignInResult = { ok: true } | { ok: false; problem: SignInProblem | 'rejected'; cause: AppError | undefined }

/** Nonce, message, signature, verification. Never throws; every end but success is told by its name (product specification, point 8). */
export async function signIn(
  adapter: AuthAdapter | undefined,
  account: { address: Address; chainId: number },
  sign: (message: string) => Promise<Hex>,
  onPhase: (phase: SignInPhase) => void,
): Promise<SignInResult> {
  const end = (problem: SignInProblem | 'rejected', error?: unknown): SignInResult => {
    onPhase('idle')
    return { ok: false, problem, cause: error === undefined ? undefined : toWalletError(error) }
  }
  let known: AuthAdapter
  let nonce: string
  let message: string
  try {
    onPhase('signing')
    known = requireAdapter(adapter)
  } catch (error) {
    return end('oops_error', error)
  }
  try {
    nonce = await known.getNonce()
  } catch (error) {
    return end('preparing_error', error)
  }
  try {
    message = known.createMessage({ ...account, nonce })
  } catch (error) {
    return end('oops_error', error)
  }
  let signature: Hex
  try {
    signature = await sign(message)
  } catch (error) {
    return toWalletError(error).code === 'user_rejected' ? end('rejected') : end('signing_error', error)
  }
  try {
    onPhase('verifying')
    if (!(await known.verify({ message, signature }))) return end('verifying_error')
  } catch (error) {
    return end('verifying_error', error)
  }
  onPhase('idle')
  return { ok: true }
}
