import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { DAY_SECONDS, MONTH_SECONDS } from '@rackfair/rules/duration'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { resourcesOf } from '@rackfair/rules/node/node'
import { accruedWei, orderFeeWei, ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { createdOrderId } from '@rackfair/sdk'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { keepApp, keepDraft } from '../../entities/deployment/keptApp.ts'
import { TermField } from '../../entities/node/term/TermField.tsx'
import { termTexts } from '../../entities/node/term/termTexts.ts'
import { useTermText } from '../../entities/node/term/useTermText.ts'
import { TrustLine } from '../../entities/node/trust/TrustLine.tsx'
import { OversoldNotice } from '../../entities/provider/oversold/OversoldNotice.tsx'
import { providerQuery } from '../../entities/provider/queries.ts'
import { TakesCard } from '../../entities/provider/takes/TakesCard.tsx'
import { SampleNotice } from '../../entities/sample/SampleNotice.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { lazyPart } from '../../platform/loading/lazyPart.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAccountState, useMarket } from '../../wallet/index.ts'
import { AppChoice } from './app/AppChoice.tsx'
import type { OwnDraftProps } from './app/OwnDraft.tsx'
import { useChosenApp } from './app/useChosenApp.ts'
import { useStartApp } from './app/useStartApp.ts'
import { Checkout } from './Checkout.tsx'
import { MachineFacts } from './MachineFacts.tsx'
import { purchaseMessages } from './messages.ts'
import { PaymentSuccess } from './PaymentSuccess.tsx'
import { paramsQuery } from './purchaseQueries.ts'
import { QuoteChangeNotice } from './QuoteChangeNotice.tsx'
import { RefundRules } from './RefundRules.tsx'
import { RunsCard } from './RunsCard.tsx'
import { useCheckoutBlocker } from './useCheckoutBlocker.ts'
import { useFaucet } from './useFaucet.ts'
import { useOrderPurchase } from './useOrderPurchase.ts'
import { usePressOnceReady } from './usePressOnceReady.ts'
import { WalletSteps } from './WalletSteps.tsx'

/** The reader of what is pasted brings one of yaml, which only those load who use it. */
const OwnDraft = lazyPart<OwnDraftProps>(async () => (await import('./app/OwnDraft.tsx')).default)

/** Characters of a failed deployment in the popup of the success before it. */
const MAX_WHY = 100

/** Choosing the term of one machine, paying for them, and starting an application in the same go. */
export function Purchase({ node }: { node: NodeOffer }) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const term = useMessages(termTexts)
  const termText = useTermText()
  const errorText = useErrorText()
  const [, navigate] = useLocation()
  const now = useNow(30_000)
  const account = useAccountState()
  const marketState = useMarket()
  const market = marketState.status === 'ready' ? marketState.market : undefined
  const { field, fee, quote, checkout, changedQuote, pay, failure } = useOrderPurchase(node, market)
  const takes = useQuery(providerQuery(node.provider)).data?.takes

  const { prices } = node
  const resources = resourcesOf(node)
  const machine = { ...resources, core: node.cpu.cores, gpuModel: node.gpu.model }
  const rateWei = ratePerMonthWei(resources, prices)
  const { seconds } = field
  const listWei = seconds === undefined ? undefined : orderFeeWei(rateWei, seconds)
  const feeWei = quote?.feeWei ?? listWei
  const penalty = useQuery(paramsQuery(market)).data?.penalty ?? node.penalty
  const lockedWei = penalty === undefined ? undefined : accruedWei(rateWei, penalty)
  const span = seconds === undefined ? undefined : { start: now, end: now + seconds }
  const chosen = useChosenApp(machine, takes)
  const { app } = chosen
  const { start, setStart, deploy } = useStartApp(node.provider)
  const orderId = checkout.receipt && createdOrderId(checkout.receipt)

  const own = chosen.draft?.ready
  /** Of what starts by itself after the payment. */
  const title = app?.title ?? own?.title
  const goesOn = title !== undefined || chosen.isOwn
  const goOn = async (id: bigint) => {
    const started = app
      ? { deployId: app.id, env: chosen.env() }
      : own && { deployId: OWN_APP_DEPLOY_ID, env: own.values, app: own.app }
    if (own) keepApp(String(id), own.yaml)
    else if (chosen.draft) keepDraft(String(id), chosen.draft.pasted)
    if (!started) navigate(`/orderdeploy/${id}/${chosen.isOwn ? '?app=own' : ''}`, { replace: true })
    else if (await deploy(id, started)) navigate(`/orderinfo?id=${id}`, { replace: true })
  }
  const press = async () => {
    // Known before the receipt is: the popup of the success waits for what comes after it.
    setStart({ at: goesOn ? 'busy' : 'idle' })
    const receipt = await pay()
    const id = receipt && createdOrderId(receipt)
    if (goesOn && id !== undefined) await goOn(id)
    else setStart({ at: 'idle' })
  }

  const isSoldNow = changedQuote?.kind === 'sold' || changedQuote?.kind === 'yours'
  const blocker = useCheckoutBlocker({
    offer: { machine: isSoldNow ? { ...node, sold: true, soldUntil: null } : node },
    terms: { seconds, feeWei: fee.isError ? 'unread' : quote?.feeWei, areSettingsWrong: chosen.isWrong },
    market: marketState,
    penalty,
  })
  const ready = usePressOnceReady({ blocker, feeWei, faucet: useFaucet(), press: () => void press() })
  // Of a sum for a few hours the cents are not all.
  const price = feeWei === undefined ? '' : format.usd(feeWei, { max: 4 })
  const label = title === undefined ? text.pay(price) : text.payAndStart(price, title)
  const isStarting = start.at === 'busy' && checkout.receipt !== undefined
  const created = text.successText(orderId === undefined ? '–' : String(orderId), node.name)
  const why =
    title !== undefined && start.at === 'declined'
      ? text.appDeclined(title)
      : title !== undefined && start.at === 'failed'
        ? text.appFailed(title, errorText(start.error, MAX_WHY).short)
        : undefined

  return (
    <Checkout
      checkout={checkout}
      market={market}
      top={<AppChoice chosen={chosen} />}
      feeWei={feeWei}
      fee={fee}
      rateWei={rateWei}
      resources={resources}
      prices={prices}
      seconds={seconds}
      term={
        <TermField
          value={field.term}
          onChange={field.setTerm}
          aside={span && term.ends(format.dateTime(span.end))}
          isLocked={checkout.holdsTerm}
        />
      }
      rules={<RefundRules market={market} rate={rateWei} feeWei={feeWei} span={span} />}
      blocker={blocker}
      busyLabel={
        isStarting && title !== undefined
          ? text.startingApp(title)
          : checkout.busy
            ? text.creating
            : ready.isWaiting
              ? text.gettingReady
              : undefined
      }
      label={label}
      name={text.createOrder}
      connect={{ label: account.status === 'unauthenticated' ? text.signInAndPay : text.connectAndPay, onPress: ready.begin }}
      onPress={() => void press()}
      back="/nodelist"
      asks={
        checkout.progress || seconds === undefined ? undefined : (
          <WalletSteps
            market={market}
            feeWei={feeWei}
            fee={feeWei === undefined ? '–' : price}
            purchase={text.createDescription(node.name, termText(seconds))}
            deploy={title === undefined ? (chosen.isOwn ? text.asks.deployOwn : undefined) : text.asks.deploy(title)}
          />
        )
      }
      steps={{
        feeWei: quote?.feeWei,
        rev: fee.data?.rev ?? node.revision,
        doneTitle: orderId === undefined ? text.steps.created : text.steps.createdAs(String(orderId)),
        more:
          title === undefined ? [] : [{ key: 'deploy', title: text.deployApp(title), state: deployState(start.at, isStarting) }],
      }}
      failure={{ error: failure, title: text.error, safe: text.errorSafe }}
      success={
        start.at !== 'busy' &&
        start.at !== 'done' && (
          <PaymentSuccess
            title={text.success}
            said={text.paid}
            onClose={() => navigate('/myspace', { replace: true })}
            deployLabel={title === undefined ? undefined : text.deployApp(title)}
            onDeploy={orderId === undefined ? undefined : () => void goOn(orderId)}
          >
            {why === undefined ? created : `${created} ${why}`}
          </PaymentSuccess>
        )
      }
    >
      {changedQuote && <QuoteChangeNotice changedQuote={changedQuote} />}
      <SampleNotice of={node} />
      {chosen.isOwn && (
        <Suspense fallback={<Skeleton size="card" />}>
          <OwnDraft takes={takes} onChange={chosen.setDraft} />
        </Suspense>
      )}
      <OversoldNotice parts={node.oversold} />
      <MachineFacts machine={node} />
      <TrustLine node={node} lockedWei={lockedWei} days={Math.ceil((seconds ?? MONTH_SECONDS) / DAY_SECONDS)} />
      <div className="grid min-w-0 gap-4 md:grid-cols-2">
        <RunsCard machine={machine} takes={takes} />
        <TakesCard takes={takes} />
      </div>
    </Checkout>
  )
}

function deployState(at: 'idle' | 'busy' | 'declined' | 'done' | 'failed', isStarting: boolean) {
  if (at === 'done') return 'done' as const
  if (at === 'failed') return 'failed' as const
  return isStarting ? ('now' as const) : ('next' as const)
}
