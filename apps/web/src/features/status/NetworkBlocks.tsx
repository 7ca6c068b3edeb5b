import type { ReactNode } from 'react'
import { useGlobal } from '../../entities/network/useGlobal.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Ring } from '../../ui/Ring.tsx'
import { statusMessages } from './messages.ts'
import { RESOURCES, type Resource, resourceShares } from './resourceShares.ts'
import { useResourceText } from './useResourceText.ts'

/** The statistics of the network: providers, machines, and used and idle of each resource. */
export function NetworkBlocks() {
  const text = useMessages(statusMessages)
  const format = useFormat()
  const write = useResourceText()
  const { totals, sample } = useGlobal()
  const shares = totals ? resourceShares(totals) : undefined
  const figure = (value: number | undefined) => (value === undefined ? '–' : format.number(value))
  return (
    <section aria-label={text.network} className="flex flex-col gap-3">
      {sample && (
        <Notice tone="warn" title={text.sample}>
          {text.sampleText}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-3">
        <Block title={text.providers}>
          <p className="num text-2xl">{figure(totals?.providers)}</p>
        </Block>
        <Block
          title={text.machines}
          ring={totals && totals.nodes.listed > 0 ? totals.nodes.sold / totals.nodes.listed : 0}
          figures={[
            [text.use, figure(totals?.nodes.sold)],
            [text.idle, figure(totals && totals.nodes.listed - totals.nodes.sold)],
            [text.online, figure(totals?.nodesOnline)],
          ]}
        >
          <p className="num text-2xl">{figure(totals?.nodes.listed)}</p>
        </Block>
        {RESOURCES.map((resource: Resource, index) => {
          const share = shares?.[index]
          return (
            <Block
              key={resource}
              title={text[resource]}
              ring={share?.share ?? 0}
              figures={[
                [text.use, share ? write(resource, share.used) : '–'],
                [text.idle, share ? write(resource, share.idle) : '–'],
              ]}
            >
              <p className="num text-2xl">{share?.share === undefined ? '–' : format.percent(share.share)}</p>
            </Block>
          )
        })}
      </div>
    </section>
  )
}

function Block({
  title,
  ring,
  figures = [],
  children,
}: {
  title: string
  ring?: number
  figures?: readonly (readonly [string, string])[]
  children: ReactNode
}) {
  return (
    <div className="flex min-h-32 flex-col justify-between gap-3 bg-raised px-4 py-4 sm:px-5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-xs font-medium text-ink-3">{title}</h2>
          {children}
        </div>
        {ring !== undefined && <Ring share={ring} large />}
      </div>
      {figures.length > 0 && (
        <dl className="grid gap-x-3 gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
          {figures.map(([term, value]) => (
            <div key={term} className="flex items-baseline gap-1.5 whitespace-nowrap">
              <dt className="text-xs text-ink-3">{term}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
