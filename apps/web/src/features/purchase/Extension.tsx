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
import { Notice } from '../../ui/Notice.tsx'
import { useAccountState, useMarket, useOpenConnect } from '../../wallet/index.ts'
import { FeePanel } from './FeePanel.tsx'
import { Fold } from './Fold.tsx'
import { MachineFacts } from './MachineFacts.tsx'
import { purchaseMessages } from './messages.ts'
import { PaymentError } from './PaymentError.tsx'
import { PaymentStepsList } from './PaymentStepsList.tsx'
import { PaymentSuccess } from './PaymentSuccess.tsx'
import { PriceTable } from './PriceTable.tsx'
import { extensionFeeQuery } from './purchaseQueries.ts'
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
  const fee = useQuery(feeQuery)
  const checkout = useCheckout(market)
  const [changed, setChanged] = useState<{ beforeWei: bigint; afterWei: bigint }>()
  // The end before the extension stays on screen once the order has been extended.
  const [endAtFirst] = useState(order.activateTime + order.duration)

  const { prices, resources } = order
  const quoteWei = field.settled === seconds ? fee.data : undefined
  const rateWei = ratePerMonthWei(resources, prices)
  const listWei = seconds === undefined ? undefined : orderFeeWei(rateWei, seconds)
  const feeWei = quoteWei ?? listWei

  const press = () =>
    checkout.start(async () => {
      if (!market || quoteWei === undefined || seconds === undefined) return undefined
      const freshWei = await client.fetchQuery({ ...feeQuery, staleTime: 0, networkMode: 'always' })
      setChanged(freshWei === quoteWei ? undefined : { beforeWei: quoteWei, afterWei: freshWei })
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
    <div className="cols-pay">
      <div className="flex min-w-0 flex-col gap-6">
        {changed && (
          <Notice tone="warn" title={text.priceChangedTitle}>
            {text.priceChanged(format.usd(changed.beforeWei), format.usd(changed.afterWei))}
          </Notice>
        )}
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
      </div>
      <FeePanel
        feeWei={feeWei}
        feeFailed={fee.isError}
        onRetryFee={() => void fee.refetch()}
        rateWei={rateWei}
        seconds={seconds}
        term={<TermField label={text.durationMore} value={field.term} onChange={field.setTerm} />}
        expiry={
          started
            ? [
                { term: text.expiresBefore, value: format.dateTime(endAfter - more) },
                { term: text.expiresAfter, value: format.dateTime(endAfter) },
              ]
            : []
        }
        more={
          <Fold title={text.priceAndRefund}>
            {seconds !== undefined && <PriceTable resources={resources} prices={prices} seconds={seconds} feeWei={feeWei} />}
            <p>{text.rulesExtend}</p>
          </Fold>
        }
        paid={checkout.receipt !== undefined}
        blocker={checkout.receipt ? undefined : blocker}
        busyLabel={checkout.busy ? text.extending : undefined}
        label={changed && feeWei !== undefined ? text.extendAt(format.usd(feeWei)) : text.extend}
        onPress={() => void press()}
        connect={{ label: account.status === 'unauthenticated' ? text.signIn : text.connect, onPress: openConnect }}
        onGoBack={() => (window.history.length > 1 ? window.history.back() : navigate('/myspace'))}
      >
        {checkout.progress && (
          <PaymentStepsList
            progress={checkout.progress}
            feeWei={feeWei}
            rev={undefined}
            doneTitle={text.steps.extended}
            explorerUrl={market?.explorerUrl ?? null}
          />
        )}
      </FeePanel>
      {checkout.error && (
        <PaymentError
          error={checkout.error}
          title={text.extendError}
          safe={text.errorSafeExtend}
          sent={checkout.sent}
          onClose={checkout.dismiss}
        />
      )}
      {checkout.receipt && (
        <PaymentSuccess title={text.extendSuccess} said={text.extended} onClose={() => navigate('/myspace', { replace: true })}>
          {text.extendSuccessText(order.id, format.dateTime(endAfter))}
        </PaymentSuccess>
      )}
    </div>
  )
}
