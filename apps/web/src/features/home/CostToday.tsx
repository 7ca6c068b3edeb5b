import type { NodeOffer } from '@rackfair/rules/node/node'
import { resourcesOf } from '@rackfair/rules/node/node'
import { type LineKind, priceLines } from '@rackfair/rules/prices/priceLines'
import { ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Money } from '../../ui/Money.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { homeMessages } from './messages.ts'

const FILL: Record<LineKind, string> = { gpu: 'bg-accent', cpu: 'bg-ink', memory: 'bg-run', storage: 'bg-idle' }

/** What one machine of this market costs a month and what that is made of, and what nobody offers, in one sentence. */
export function CostToday({ node }: { node: NodeOffer }) {
  const text = useMessages(homeMessages).today
  const format = useFormat()
  const resources = resourcesOf(node)
  const lines = priceLines(resources, node.prices, 1)
  const total = ratePerMonthWei(resources, node.prices)
  const part = (wei: bigint) => (total === 0n ? 0 : Number((wei * 10_000n) / total) / 100)
  const amount: Record<LineKind, string> = {
    gpu: `${format.number(node.gpu.count)} × ${node.gpu.model}`,
    cpu: format.number(node.cpu.count),
    memory: format.gigabytes(node.memoryGb),
    storage: format.gigabytes(node.diskGb),
  }
  return (
    <div className="grid rounded-lg border border-line bg-raised max-lg:divide-y lg:grid-cols-3 lg:divide-x divide-line">
      <div className="flex flex-col gap-3 p-5 lg:col-span-2">
        <p className="flex flex-wrap items-baseline justify-between gap-3">
          <span className="flex flex-wrap items-center gap-x-2 font-semibold">
            {text.title(node.name)}
            <SampleMark of={node} />
          </span>
          <span className="text-2xl">
            <Money wei={total} />
          </span>
        </p>
        <div aria-hidden className="flex h-3 gap-0.5 overflow-hidden rounded-sm bg-sunk">
          {lines.map(({ kind, totalWei }) => (
            <span key={kind} className={FILL[kind]} style={{ width: `${part(totalWei)}%` }} />
          ))}
        </div>
        <dl className="flex flex-wrap justify-between gap-x-8 gap-y-3">
          {lines.map(({ kind, totalWei }) => (
            <div key={kind}>
              <dt className="flex items-center gap-2 text-xs text-ink-2">
                <span aria-hidden className={`size-2 rounded-xs ${FILL[kind]}`} />
                {text.part(text[kind], amount[kind])}
              </dt>
              <dd className="text-lg">
                <Money wei={totalWei} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="flex flex-col gap-2 p-5">
        <h3 className="text-base">{text.gpus}</h3>
        <p className="text-ink-2">{text.noGpus}</p>
        <p>
          <TextLink to="/addprovider" strong>
            {text.haveOne}
          </TextLink>
        </p>
      </div>
    </div>
  )
}
