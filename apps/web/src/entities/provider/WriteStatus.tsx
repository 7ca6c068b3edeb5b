import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Hash } from '../../ui/Hash.tsx'
import { type TransactionState, useMarket } from '../../wallet/index.ts'
import { providerTexts } from './providerTexts.ts'

/** One line that says where a transaction is: in the wallet, or on its way. */
export function WriteStatus({ state }: { state: TransactionState }) {
  const text = useMessages(providerTexts).write
  const format = useFormat()
  const market = useMarket()
  const explorerUrl = market.status === 'ready' ? market.market.explorerUrl : null
  return (
    <p role="status" className="text-xs text-ink-2 empty:hidden">
      {state.phase === 'wallet' &&
        (state.steps > 1 ? text.confirmOf(format.number(state.step), format.number(state.steps)) : text.confirm)}
      {state.phase === 'submitted' && (
        <span className="inline-flex flex-wrap items-center gap-2">
          {text.pending}
          {state.hash && <Hash value={state.hash} explorerUrl={explorerUrl} />}
        </span>
      )}
    </p>
  )
}
