import { isTerminal, monthsToSeconds, nodeBlocker, priceLines, ratePerMonthWei } from '@rackfair/core'
import type { NodeListItem, OrderWire } from '@rackfair/core/wire'
import { createdOrderId, orderOffer } from '@rackfair/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Address } from 'viem'
import { useLocation } from 'wouter'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../lib/api.ts'
import { OversoldNotice } from '../../lib/oversold/OversoldNotice.tsx'
import { TakesCard } from '../../lib/takes/TakesCard.tsx'
import { useIsOnline } from '../../lib/useIsOnline.ts'
import { useNow } from '../../lib/useNow.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useAccountState, useMarket } from '../../wallet/index.ts'
import { connectionBlocker } from './accountBlocker.ts'
import { DurationField } from './DurationField.tsx'
import { FeePanel } from './FeePanel.tsx'
import { MachineFacts } from './MachineFacts.tsx'
import { purchaseMessages } from './messages.ts'
import { PaymentError } from './PaymentError.tsx'
import { PaymentStepsList } from './PaymentStepsList.tsx'
import { PaymentSuccess } from './PaymentSuccess.tsx'
import { PriceTable } from './PriceTable.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { nodeQuery, orderFeeQuery, providerQuery } from './purchaseQueries.ts'
import { quoteChange } from './quoteChange.ts'
import { RefundRules } from './RefundRules.tsx'
import { RunsCard } from './RunsCard.tsx'
import { useCheckout } from './useCheckout.ts'
import { useFundsBlocker } from './useFundsBlocker.ts'
import { useMonthsField } from './useMonthsField.ts'
import { useMonthsText } from './useMonthsText.ts'

const QUOTE_AGAIN = ['StaleNode', 'FeeTooHigh']

type Surprise =
  | { kind: 'price'; beforeWei: bigint; afterWei: bigint }
  | { kind: 'machine' }
  | { kind: 'sold' }
  | { kind: 'yours'; orderId: string }

/** Choosing the months of one machine and paying for them. */
export function Purchase({ node }: { node: NodeListItem }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const monthsText = useMonthsText()
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const now = useNow(30_000)
  const account = useAccountState()
  const isOnline = useIsOnline()
  const marketState = useMarket()
  const market = marketState.status === 'ready' ? marketState.market : undefined
  const field = useMonthsField()
  const feeQuery = orderFeeQuery(market, node.cp, node.id, field.settled)
  const fee = useQuery(feeQuery)
  const checkout = useCheckout(market)
  const provider = useQuery(providerQuery(node.cp))
  const [surprise, setSurprise] = useState<Surprise>()

  const resources = { nCPU: node.cpu.num, nGPU: node.gpu.num, nMEM: node.mem.num, nDISK: node.disk.num }
  const prices = {
    pCPU: BigInt(node.cpu.priceMon),
    pGPU: BigInt(node.gpu.priceMon),
    pMEM: BigInt(node.mem.priceMon),
    pDISK: BigInt(node.disk.priceMon),
  }
  const settled = field.settled === field.months
  const quote = settled ? fee.data : undefined
  const listWei = field.months === undefined ? undefined : ratePerMonthWei(resources, prices) * BigInt(field.months)
  const feeWei = quote?.feeWei ?? listWei
  const readNode = () => client.invalidateQueries({ queryKey: nodeQuery(node.cp, node.id).queryKey })

  const askAgain = async (seen: { feeWei: bigint; rev: number }) => {
    const fresh = await client.fetchQuery({ ...feeQuery, staleTime: 0, networkMode: 'always' })
    const change = quoteChange(seen, fresh)
    if (change === 'price') setSurprise({ kind: 'price', beforeWei: seen.feeWei, afterWei: fresh.feeWei })
    if (change === 'machine') setSurprise({ kind: 'machine' })
    if (change) void readNode()
    return change ? undefined : fresh
  }
  /** The order by which the buyer holds this machine already, bought in another tab for example. */
  const ownOrder = async () => {
    const orders = await api.userOrders(account.address ?? '').catch(() => [])
    const holds = (order: OrderWire) => order.provider === node.cp && order.node_id === node.id && !isTerminal(order.status)
    return orders.find(holds)?.id
  }
  const press = () =>
    checkout.start(async () => {
      if (!market || !quote || field.months === undefined) return undefined
      setSurprise(undefined)
      const fresh = await askAgain(quote)
      if (!fresh) return undefined
      const place = { provider: node.cp as Address, nodeId: BigInt(node.id), duration: monthsToSeconds(field.months) }
      return {
        ...orderOffer(market.addresses, { ...place, ...fresh }),
        description: text.createDescription(node.nodename, monthsText(field.months)),
        approveDescription: text.approveDescription(format.usd(fresh.feeWei)),
      }
    })

  const code = checkout.error && 'code' in checkout.error ? String(checkout.error.code) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every failure
  useEffect(() => {
    if (QUOTE_AGAIN.includes(code) && quote) {
      checkout.clear()
      void askAgain(quote)
    } else if (code === 'NodeSold') {
      checkout.clear()
      void readNode()
      void ownOrder().then((orderId) => setSurprise(orderId === undefined ? { kind: 'sold' } : { kind: 'yours', orderId }))
    }
  }, [code])

  const funds = useFundsBlocker({ market, feeWei: quote?.feeWei, feeFailed: fee.isError })
  const blocker =
    nodeBlocker(node, account.address, now) ??
    (surprise?.kind === 'sold' || surprise?.kind === 'yours' ? { code: 'sold' as const, until: null } : undefined) ??
    (isOnline ? undefined : { code: 'device_offline' as const }) ??
    (marketState.status === 'failed' ? { code: 'failed_market' as const } : undefined) ??
    connectionBlocker(account) ??
    (field.months === undefined ? { code: 'months' as const } : undefined) ??
    funds
  const label = surprise?.kind === 'price' && feeWei !== undefined ? text.createAt(format.usd(feeWei)) : text.createOrder
  const orderId = checkout.receipt && createdOrderId(checkout.receipt)

  return (
    <div className="cols-aside">
      <div className="flex min-w-0 flex-col gap-6">
        {surprise && <SurpriseNotice surprise={surprise} />}
        <OversoldNotice parts={node.oversold} />
        <MachineFacts
          machine={{ name: node.nodename, cpu: node.cpu, gpu: node.gpu, memGb: node.mem.num, diskGb: node.disk.num }}
        />
        <div className="grid gap-4 md:grid-cols-2">
          <ProviderCard node={node} />
          <RunsCard machine={{ ...resources, core: node.cpu.core, gpuModel: node.gpu.model }} takes={provider.data?.takes} />
          <TakesCard takes={provider.data?.takes} />
        </div>
        <DurationField label={text.duration} value={field.text} onChange={field.setText} />
        {field.months !== undefined && (
          <PriceTable lines={priceLines(resources, prices, field.months)} months={field.months} feeWei={feeWei} />
        )}
      </div>
      <FeePanel
        feeWei={feeWei}
        feeFailed={fee.isError}
        onRetryFee={() => void fee.refetch()}
        expiry={
          field.months === undefined
            ? []
            : [{ term: text.expiresNow, value: format.dateTime(now + monthsToSeconds(field.months)) }]
        }
        rules={<RefundRules market={market} />}
        paid={checkout.receipt !== undefined}
        blocker={checkout.receipt ? undefined : blocker}
        busyLabel={checkout.busy ? text.creating : undefined}
        label={label}
        onPress={() => void press()}
        onGoBack={() => (window.history.length > 1 ? window.history.back() : navigate('/nodelist'))}
      >
        {checkout.progress && (
          <PaymentStepsList
            progress={checkout.progress}
            feeWei={quote?.feeWei}
            rev={fee.data?.rev ?? node.rev}
            doneTitle={orderId === undefined ? text.steps.created : text.steps.createdAs(String(orderId))}
            explorerUrl={market?.explorerUrl ?? null}
          />
        )}
      </FeePanel>
      {checkout.error && !QUOTE_AGAIN.includes(code) && code !== 'NodeSold' && (
        <PaymentError
          error={checkout.error}
          title={text.error}
          safe={text.errorSafe}
          sent={checkout.sent}
          onClose={checkout.dismiss}
        />
      )}
      {checkout.receipt && (
        <PaymentSuccess
          title={text.success}
          onClose={() => navigate('/myspace', { replace: true })}
          onDeploy={orderId === undefined ? undefined : () => navigate(`/orderdeploy/${orderId}/`, { replace: true })}
        >
          {text.successText(orderId === undefined ? '–' : String(orderId), node.nodename)}
        </PaymentSuccess>
      )}
    </div>
  )
}

function SurpriseNotice({ surprise }: { surprise: Surprise }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  if (surprise.kind === 'yours')
    return (
      <Notice
        tone="info"
        title={text.yoursTitle}
        actions={<ButtonLink to={`/orderinfo?id=${surprise.orderId}`}>{text.orderTrail(surprise.orderId)}</ButtonLink>}
      >
        {text.yoursText}
      </Notice>
    )
  if (surprise.kind === 'sold')
    return (
      <Notice tone="bad" title={text.soldTitle}>
        {text.soldText}
      </Notice>
    )
  return (
    <Notice tone="warn" title={text.priceChangedTitle}>
      {surprise.kind === 'price'
        ? text.priceChanged(format.usd(surprise.beforeWei), format.usd(surprise.afterWei))
        : text.revChanged}
    </Notice>
  )
}
