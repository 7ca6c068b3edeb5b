import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'

export interface MenuItem {
  key: string
  label: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  /** Set for choices of which one is current. */
  checked?: boolean
}

/** A list of actions behind one button, which is given as the child. */
export function Menu({
  items,
  children,
  align = 'end',
}: {
  items: readonly MenuItem[]
  children: ReactElement
  align?: 'start' | 'end'
}) {
  const text = useMessages(uiMessages)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align={align}
        sideOffset={4}
        className="z-30 min-w-40 rounded-md border border-line-2 bg-raised p-1 shadow-pop"
      >
        {items.map((item) => (
          <DropdownMenu.Item
            key={item.key}
            disabled={item.disabled ?? false}
            onSelect={item.onSelect}
            className={`flex cursor-pointer items-center justify-between gap-4 rounded-sm px-2.5 py-1.5 outline-none data-disabled:cursor-not-allowed data-disabled:text-ink-3 data-highlighted:bg-sunk ${item.danger ? 'text-bad' : ''}`}
          >
            {item.label}
            {item.checked && <Check role="img" aria-label={text.current} className="size-4" />}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
