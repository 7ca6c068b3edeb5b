import { type Conditions, type ContractCall, contractCall, marketOf, toAppError } from '@rackfair/sdk'
import { useErrorToast } from '../../lib/errors/useErrorToast.ts'
import { type Market, useMarket, useTransaction } from '../../wallet/index.ts'

export type { Conditions }
export type OrderCall = 'userCancel' | 'userConfirm' | 'release' | 'closeForDowntime'

/** Sends one call about an order to the Market that keeps it. A failure is a toast. */
export function useOrderCall() {
  const market = useMarket()
  const { state, send, reset } = useTransaction()
  const showError = useErrorToast()

  /** `move` goes with the conditions that were shown; the contract refuses others. */
  const call = async (
    ...[orderId, functionName, description, conditions]:
      | [orderId: string, functionName: OrderCall, description: string]
      | [orderId: string, functionName: 'move', description: string, conditions: Conditions]
  ) => {
    if (market.status !== 'ready') return undefined
    reset()
    const made = await orderCall(market.market, BigInt(orderId), functionName, conditions).catch((failure: unknown) => {
      showError(toAppError(failure))
    })
    return made && send(made, { description, onFailed: showError })
  }
  return {
    call,
    phase: state.phase,
    busy: state.phase === 'wallet' || state.phase === 'submitted',
    ready: market.status === 'ready',
  }
}

async function orderCall(
  market: Market,
  orderId: bigint,
  functionName: OrderCall | 'move',
  conditions: Conditions | undefined,
): Promise<ContractCall> {
  const at = await marketOf(market.client, market.addresses.access, orderId)
  if (conditions) return contractCall(market.addresses, 'market', 'move', [orderId, conditions], at)
  return contractCall(market.addresses, 'market', functionName as OrderCall, [orderId], at)
}
