import { type Conditions, contractCall, marketOf } from '@rackfair/sdk'
import { useTransaction } from '../../wallet/index.ts'

export type { Conditions }
export type OrderCall = 'userCancel' | 'userConfirm' | 'release' | 'closeForDowntime'

/** Sends one call about an order to the Market that keeps it. */
export function useOrderCall() {
  const { state, busy, send } = useTransaction()

  /** `move` goes with the conditions that were shown; the contract refuses others. */
  const call = (
    ...[orderId, functionName, description, conditions]:
      | [orderId: bigint, functionName: OrderCall, description: string]
      | [orderId: bigint, functionName: 'move', description: string, conditions: Conditions]
  ) =>
    send(
      async ({ client, addresses }) => {
        const at = await marketOf(client, addresses.access, orderId)
        if (conditions) return contractCall(addresses, 'market', 'move', [orderId, conditions], at)
        return contractCall(addresses, 'market', functionName as OrderCall, [orderId], at)
      },
      { description },
    )
  return { call, phase: state.phase, busy }
}
