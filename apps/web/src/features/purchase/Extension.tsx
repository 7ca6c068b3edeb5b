import { nodeName } from '@rackfair/rules/node/name'
import type { Order } from '@rackfair/rules/order/order'
import { orderFeeWei, ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { extendedDuration, extensionOffer } from '@rackfair/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { TermField } from '../../entities/node/term/TermField.tsx'
import { useTermField } from '../../entities/node/term/useTermField.ts'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useAccountState, useMarket, useOpenConnect } from '../../wallet/index.ts'
import { Checkout } from './Checkout.tsx'
import { MachineFacts } from './MachineFacts.tsx'
import { purchaseMessages } from './messages.ts'
import { PaymentSuccess } from './PaymentSuccess.tsx'
import { extensionFeeQuery } from './purchaseQueries.ts'
import { QuoteChangeNotice } from './QuoteChangeNotice.tsx'
import { ofTerm, type QuoteChange } from './quoteChange.ts'
import { useCheckout } from './useCheckout.ts'
import { useCheckoutBlocker } from './useCheckoutBlocker.ts'

/** More time for an order, at the order's own price. */
export function Extension({ order }: { order: Order }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const termText = useTermText()
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const account = useAccountState()
  const openConnect = useOpenConnect()
  const marketState = useMarket()
  const market = marketState.status === 'ready' ? marketState.market : undefined
  const field = useTermField()
  const { seconds } = field
  const feeQuery = extensionFeeQuery(market, order.orderId, field.settled)
  const read = useQuery(feeQuery)
  const fee = { data: read.data, refetch: read.refetch, isError: field.isSettled && read.isError }
  const checkout = useCheckout(market)
  const [change, setChanged] = useState<QuoteChange>()
  const changed = ofTerm(change, seconds)
  // The end before the extension stays on screen once the order has been extended.
  const [endAtFirst] = useState(order.activateTime + order.duration)

  const { prices, resources } = order
  const quoteWei = field.isSettled ? fee.data : undefined
  const rateWei = ratePerMonthWei(resources, prices)
  const listWei = seconds === undefined ? undefined : orderFeeWei(rateWei, seconds)
  const feeWei = quoteWei ?? listWei

  const press = () =>
    checkout.start(async () => {
      if (!market || quoteWei === undefined || seconds === undefined) return undefined
      const freshWei = await client.fetchQuery({ ...feeQuery, staleTime: 0, networkMode: 'always' })
      setChanged(freshWei === quoteWei ? undefined : { kind: 'price', beforeWei: quoteWei, afterWei: freshWei, seconds })
      if (freshWei !== quoteWei) return undefined
      const offer = await extensionOffer(market, { orderId: order.orderId, moreSeconds: seconds, feeWei: freshWei })
      return {
        ...offer,
        description: text.extendDescription(order.id, termText(seconds)),
        approveDescription: text.approveDescription(format.usd(freshWei)),
      }
    })

  const blocker = useCheckoutBlocker({
    offer: { extension: order },
    terms: { seconds, feeWei: fee.isError ? 'unread' : quoteWei },
    market: marketState,
    penalty: order.penalty,
  })
  const started = order.activateTime > 0
  const more = seconds ?? 0
  const lasts = checkout.receipt && extendedDuration(checkout.receipt)
  // After a reload the order that is read is already the extended one: then its receipt tells.
  const endAfter = lasts === undefined ? endAtFirst + more : order.activateTime + lasts

  return (
    <Checkout
      checkout={checkout}
      market={market}
      feeWei={feeWei}
      fee={fee}
      rateWei={rateWei}
      resources={resources}
      prices={prices}
      seconds={seconds}
      term={<TermField label={text.durationMore} value={field.term} onChange={field.setTerm} isLocked={checkout.holdsTerm} />}
      expiry={
        started
          ? [
              { term: text.expiresBefore, value: format.dateTime(endAfter - more) },
              { term: text.expiresAfter, value: format.dateTime(endAfter) },
            ]
          : []
      }
      rules={<p>{text.rulesExtend}</p>}
      blocker={blocker}
      busyLabel={checkout.busy ? text.extending : undefined}
      label={changed && feeWei !== undefined ? text.extendAt(format.usd(feeWei)) : text.extend}
      onPress={() => void press()}
      connect={{ label: account.status === 'unauthenticated' ? text.signIn : text.connect, onPress: openConnect }}
      back="/myspace"
      steps={{ feeWei, rev: undefined, doneTitle: text.steps.extended }}
      failure={{ error: checkout.error, title: text.extendError, safe: text.errorSafeExtend }}
      success={
        <PaymentSuccess title={text.extendSuccess} said={text.extended} onClose={() => navigate('/myspace', { replace: true })}>
          {text.extendSuccessText(order.id, format.dateTime(endAfter))}
        </PaymentSuccess>
      }
    >
      {changed && <QuoteChangeNotice changedQuote={changed} />}
      <MachineFacts
        machine={{
          name: nodeName(order.providerName, order.nodeId),
          cpu: { count: resources.nCPU, model: order.cpuModel, cores: order.core },
          gpu: { count: resources.nGPU, model: order.gpuModel },
          memoryGb: resources.nMEM,
          diskGb: resources.nDISK,
          sample: order.node?.sample,
        }}
      />
    </Checkout>
  )
}
