import type { Address, Hex } from 'viem'

/** A call as a wallet takes it. */
export interface PlainCall {
  to: Address
  data: Hex
  value: bigint
}
