import type { Provider } from '@rackfair/rules/provider/provider'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { overviewMessages } from './messages.ts'

const TABS = ['nodes', 'orders', 'earnings', 'pledge'] as const
type Tab = (typeof TABS)[number]

export interface TabContents {
  machines: ReactNode
  orders: ReactNode
  earnings: ReactNode
  pledgeHistory: ReactNode
}

/** What a provider has, one kind at a time; which one stands in the address. */
export function ProviderTabs({ provider, machines, orders, earnings, pledgeHistory }: TabContents & { provider: Provider }) {
  const text = useMessages(overviewMessages)
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  return (
    <Tabs<Tab>
      label={text.sections}
      value={TABS.find((name) => name === asked) ?? 'nodes'}
      onChange={(next) =>
        setParams(
          (last) => {
            last.set('tab', next)
            return last
          },
          { replace: true },
        )
      }
      tabs={[
        { value: 'nodes', label: text.tabs.machines, content: machines },
        { value: 'orders', label: text.tabs.orders, content: orders },
        { value: 'earnings', label: text.tabs.earnings, content: earnings },
        { value: 'pledge', label: text.tabs.pledge, content: pledgeHistory },
      ]}
      aside={
        <span className="num text-xs text-ink-3 max-sm:hidden">{text.count(provider.listed.nodes, provider.sold.nodes)}</span>
      }
    />
  )
}
