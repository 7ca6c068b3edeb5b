import { BaseError } from 'viem'

/** Why a step failed, for a state that anybody may read: the kind of the error, without addresses, requests and what the node said. */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return `the chain’s node: ${error.shortMessage.split('\n')[0]}`
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
