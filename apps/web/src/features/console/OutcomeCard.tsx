import { formatCredit } from '@rackfair/rules/money'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import type { Market } from '../../wallet/index.ts'
import { CallError } from './CallError.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { consoleMessages } from './messages.ts'
import type { Outcome } from './outcome.ts'
import { resultJson } from './resultJson.ts'

/** Result, simulation, transaction or error of the last run. */
export function OutcomeCard({ outcome, market }: { outcome: Outcome; market: Market | undefined }) {
  const text = useMessages(consoleMessages).outcome
  return (
    <Card title={text.title}>
      <div aria-live="polite" className="flex flex-col gap-4">
        <OutcomeBody outcome={outcome} market={market} />
      </div>
    </Card>
  )
}

function OutcomeBody({ outcome, market }: { outcome: Outcome; market: Market | undefined }) {
  const text = useMessages(consoleMessages).outcome
  const format = useFormat()
  const explorerUrl = market?.explorerUrl
  const symbol = market?.client.chain.nativeCurrency.symbol ?? ''
  const fee = (wei: bigint) => `${formatCredit(wei, { max: 9 })} ${symbol}`
  switch (outcome.phase) {
    case 'empty':
      return <p className="text-ink-3">{text.empty}</p>
    case 'running':
      return <Skeleton size="card" />
    case 'result':
      return outcome.json === '' ? <p>{text.nothing}</p> : <CodeBlock label={text.result} code={outcome.json} />
    case 'simulated': {
      const { gas, gasPriceWei } = outcome.simulation
      return (
        <>
          <Notice tone="good">{outcome.json === '' ? text.wouldSucceed : text.wouldReturn}</Notice>
          {outcome.json !== '' && <CodeBlock label={text.result} code={outcome.json} />}
          <Facts
            facts={[
              { term: text.gas, value: gas === undefined ? text.gasUnknown : format.number(gas) },
              ...(gas !== undefined && gasPriceWei !== undefined ? [{ term: text.gasCost, value: fee(gas * gasPriceWei) }] : []),
            ]}
          />
        </>
      )
    }
    case 'sending':
      return (
        <p className="flex flex-wrap items-center gap-2">
          <Spinner />
          {outcome.hash === undefined ? text.confirmWallet : text.pending}
          {outcome.hash !== undefined && <Hash value={outcome.hash} explorerUrl={explorerUrl} />}
        </p>
      )
    case 'sent':
      return (
        <>
          <Notice tone="good">{text.confirmed}</Notice>
          <Facts
            facts={[
              { term: text.transaction, value: <Hash value={outcome.hash} explorerUrl={explorerUrl} /> },
              { term: text.block, value: format.number(outcome.block) },
              { term: text.gasUsed, value: format.number(outcome.gasUsed) },
              { term: text.gasCost, value: fee(outcome.feeWei) },
            ]}
          />
          <h3 className="font-semibold">{text.events}</h3>
          {outcome.events.length === 0 && <p className="text-ink-3">{text.noEvents}</p>}
          {outcome.events.map((event, index) => (
            <CodeBlock
              // biome-ignore lint/suspicious/noArrayIndexKey: the events of a receipt never change places
              key={index}
              label={`${event.contract}.${event.name}`}
              code={resultJson(event.args)}
            />
          ))}
        </>
      )
    case 'failed':
      return (
        <>
          <CallError error={outcome.error} />
          {outcome.hash !== undefined && <Hash value={outcome.hash} explorerUrl={explorerUrl} />}
        </>
      )
  }
}
