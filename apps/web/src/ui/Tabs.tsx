import { Tabs as RadixTabs } from 'radix-ui'
import type { ReactNode } from 'react'

export interface TabsProps<Value extends string> {
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[]
  label: string
  /** The tabs fill the height they are given, and their content scrolls below them; it reaches the edges. */
  fill?: boolean
  /** Stands at the right end of the row. */
  aside?: ReactNode
}

export function Tabs<Value extends string>({ value, onChange, tabs, label, fill = false, aside }: TabsProps<Value>) {
  return (
    <RadixTabs.Root value={value} onValueChange={(next) => onChange(next as Value)} className={fill ? 'tabs-fill' : undefined}>
      <div className={`flex items-center justify-between gap-4 border-b border-line ${fill ? 'tabs-head' : ''}`}>
        <RadixTabs.List aria-label={label} className={`flex overflow-x-auto ${fill ? 'gap-6' : 'gap-5'}`}>
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              className={`-mb-px border-b-2 border-transparent px-0.5 whitespace-nowrap text-ink-3 hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink ${fill ? 'h-12' : 'py-2.5'}`}
            >
              {tab.label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className={fill ? 'tabs-content' : 'pt-4'}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}
