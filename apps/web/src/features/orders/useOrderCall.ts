import { type ContractCall, contractCall, marketOf, toAppError } from '@rackfair/sdk'
import { useErrorToast } from '../../lib/errors/useErrorToast.ts'
import { type Market, useMarket, useTransaction } from '../../wallet/index.ts'

/** Sends one call about an order to the Market that keeps it. A failure is a toast. */
export function useOrderCall() {
  const market = useMarket()
  const { state, send, reset } = useTransaction()
  const showError = useErrorToast()

  const call = async (orderId: string, functionName: 'userCancel' | 'userConfirm', description: string) => {
    if (market.status !== 'ready') return undefined
    reset()
    const made = await orderCall(market.market, BigInt(orderId), functionName).catch((failure: unknown) => {
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

async function orderCall(market: Market, orderId: bigint, functionName: 'userCancel' | 'userConfirm'): Promise<ContractCall> {
  const at = await marketOf(market.client, market.addresses.access, orderId)
  return contractCall(market.addresses, 'market', functionName, [orderId], at)
}
