import type { NodeOffer } from '@rackfair/rules/node/node'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { orderOffer } from '@rackfair/sdk'
import { readOrders } from '@rackfair/sdk/http'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { nodeQuery } from '../../entities/node/nodeQuery.ts'
import { useTermField } from '../../entities/node/term/useTermField.ts'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { type Market, useAccountState } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import { orderFeeQuery, paramsQuery } from './purchaseQueries.ts'
import { ofTerm, type Quote, type QuoteChange, quoteChange } from './quoteChange.ts'
import { useCheckout } from './useCheckout.ts'

const QUOTE_AGAIN = ['StaleNode', 'FeeTooHigh', 'ConditionsChanged']

/** The term and the fee of one machine, and paying for it; what changed in between is a changedQuote, and nothing is paid. */
export function useOrderPurchase(node: NodeOffer, market: Market | undefined) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const termText = useTermText()
  const client = useQueryClient()
  const account = useAccountState()
  const field = useTermField(node.minTerm)
  const feeQuery = orderFeeQuery(market, node.provider, node.nodeId, field.settled)
  const read = useQuery(feeQuery)
  const fee = { data: read.data, refetch: read.refetch, isError: field.isSettled && read.isError }
  const checkout = useCheckout(market)
  const [changedQuote, setChangedQuote] = useState<QuoteChange>()
  const quote = field.isSettled ? fee.data : undefined
  /** What the wallet was asked to pay: the price on screen follows the provider meanwhile. */
  const asked = useRef<Required<Quote>>(undefined)
  const [unexplained, setUnexplained] = useState<unknown>()
  const readNode = () => client.invalidateQueries({ queryKey: nodeQuery(node.provider, node.nodeId).queryKey })

  const refreshQuote = async (seen: Required<Quote>) => {
    const fresh = await client.fetchQuery({ ...feeQuery, staleTime: 0, networkMode: 'always' })
    const change = quoteChange(seen, fresh)
    if (change === 'price')
      setChangedQuote({ kind: 'price', beforeWei: seen.feeWei, afterWei: fresh.feeWei, seconds: field.seconds })
    if (change === 'machine') setChangedQuote({ kind: 'machine' })
    if (change === 'conditions') {
      setChangedQuote({ kind: 'conditions', before: seen.conditions, after: fresh.conditions })
      void client.invalidateQueries({ queryKey: paramsQuery(market).queryKey })
    }
    if (change) void readNode()
    return change ? undefined : fresh
  }
  /** The order by which the buyer holds this machine already, bought in another tab for example. */
  const ownOrder = async () => {
    const orders = await api
      .userOrders(account.address ?? '')
      .then(readOrders)
      .catch(() => [])
    const holds = (order: Order) => order.provider === node.provider && order.nodeId === node.nodeId && !isTerminal(order.status)
    return orders.find(holds)?.id
  }
  /** The receipt, or undefined where the order was not created. */
  const pay = () =>
    checkout.start(async () => {
      if (!market || !quote || field.seconds === undefined) return undefined
      setChangedQuote(undefined)
      const fresh = await refreshQuote(quote)
      if (!fresh) return undefined
      asked.current = fresh
      const place = { provider: node.provider, nodeId: node.nodeId, duration: field.seconds }
      return {
        ...orderOffer(market.addresses, { ...place, ...fresh }),
        description: text.createDescription(node.name, termText(field.seconds)),
        approveDescription: text.approveDescription(format.usd(fresh.feeWei)),
      }
    })

  const code = checkout.error && 'code' in checkout.error ? String(checkout.error.code) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every failure
  useEffect(() => {
    if (QUOTE_AGAIN.includes(code)) {
      const { error } = checkout
      const compare = asked.current ? refreshQuote(asked.current) : Promise.reject(error)
      compare.then((same) => (same ? setUnexplained(error) : checkout.clear())).catch(() => setUnexplained(error))
    } else if (code === 'NodeSold') {
      checkout.clear()
      void readNode()
      void ownOrder().then((orderId) => setChangedQuote(orderId === undefined ? { kind: 'sold' } : { kind: 'yours', orderId }))
    }
  }, [code])
  const isToldOtherwise = QUOTE_AGAIN.includes(code) ? unexplained !== checkout.error : code === 'NodeSold'
  const failure = isToldOtherwise ? undefined : checkout.error
  return { field, fee, quote, checkout, changedQuote: ofTerm(changedQuote, field.seconds), pay, failure }
}
