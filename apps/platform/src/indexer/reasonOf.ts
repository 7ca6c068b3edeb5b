import { BaseError } from 'viem'

/** Why a step failed, for a public status: the kind of the error, without URLs, requests and the node's own words. */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return `the chain’s node: ${error.shortMessage.split('\n')[0]}`
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
