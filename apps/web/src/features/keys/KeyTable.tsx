import type { PurseKey } from '@rackfair/sdk'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Address } from 'viem'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { KeyActions, KeyLeft, KeyMay, KeyName } from './keyCells.tsx'
import { isOver, maySpend } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { RevokeDialog } from './RevokeDialog.tsx'
import { useKeyNames } from './useKeyNames.ts'

export interface KeyTableProps {
  purse: Address
  keys: readonly PurseKey[]
  /** Undefined while the form is open. */
  onNew: (() => void) | undefined
  onChange: (key: PurseKey) => void
}

/** The keys of a purse in words, the newest first and those that are over last. */
export function KeyTable({ purse, keys, onNew, onChange }: KeyTableProps) {
  const text = useMessages(keyMessages)
  const format = useFormat()
  const now = useNow(30_000)
  const { nameOf } = useKeyNames()
  const [revoked, setRevoked] = useState<PurseKey>()
  const shown = keys.toReversed().sort((a, b) => Number(isOver(a, now)) - Number(isOver(b, now)))
  const together = keys.filter((key) => !isOver(key, now) && maySpend(key.rights)).reduce((sum, key) => sum + key.leftWei, 0n)
  const columns = [
    {
      key: 'name',
      title: text.columns.name,
      head: true,
      cell: (key: PurseKey) => <KeyName of={key} isOver={isOver(key, now)} />,
    },
    { key: 'may', title: text.columns.may, cell: (key: PurseKey) => <KeyMay of={key} /> },
    { key: 'left', title: text.columns.left, cell: (key: PurseKey) => <KeyLeft of={key} /> },
    {
      key: 'until',
      title: text.columns.until,
      cell: (key: PurseKey) => <span className="num whitespace-nowrap">{format.date(key.validUntil)}</span>,
    },
    {
      key: 'actions',
      title: text.columns.actions,
      actions: true,
      cell: (key: PurseKey) => <KeyActions of={key} onChange={() => onChange(key)} onRevoke={() => setRevoked(key)} />,
    },
  ]
  return (
    <Section
      title={text.keys}
      aside={
        <span className="flex flex-wrap items-center gap-4">
          {together > 0n && <span className="text-xs text-ink-3">{text.together(format.usd(together))}</span>}
          {onNew && (
            <Button icon={<Plus aria-hidden className="size-4" />} onClick={onNew}>
              {text.newKey}
            </Button>
          )}
        </span>
      }
    >
      {shown.length === 0 ? (
        <EmptyState title={text.noKeys}>{text.noKeysText}</EmptyState>
      ) : (
        <Table caption={text.keys} rows={shown} rowKey={({ grantId }) => String(grantId)} columns={columns} />
      )}
      {revoked && (
        <RevokeDialog purse={purse} name={nameOf(revoked.key)} address={revoked.key} onClose={() => setRevoked(undefined)} />
      )}
    </Section>
  )
}
