import { type PurseKey, revokeKeyCall } from '@rackfair/sdk'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Address as ChainAddress } from 'viem'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { Address } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Bar } from '../../ui/Bar.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { useTransaction } from '../../wallet/index.ts'
import { maySpend } from './keyForm.ts'
import { keyMessages } from './messages.ts'
import { useKeyNames } from './useKeyNames.ts'
import { useLimitWords } from './useLimitWords.ts'

export interface KeyTableProps {
  purse: ChainAddress
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
  const words = useLimitWords()
  const { nameOf } = useKeyNames()
  const [revoked, setRevoked] = useState<PurseKey>()
  const isOver = (key: PurseKey) => key.isRevoked || key.validUntil <= now
  const shown = keys.toReversed().sort((a, b) => Number(isOver(a)) - Number(isOver(b)))
  const together = keys.filter((key) => !isOver(key) && maySpend(key.rights)).reduce((sum, key) => sum + key.leftWei, 0n)
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
        <Table
          caption={text.keys}
          rows={shown}
          rowKey={({ grantId }) => String(grantId)}
          columns={[
            {
              key: 'name',
              title: text.columns.name,
              head: true,
              cell: (key) => (
                <span className="flex flex-col gap-0.5 md:min-w-36">
                  <span className="flex flex-wrap items-center gap-2 font-semibold break-words">
                    {nameOf(key.key)}
                    {isOver(key) && <Badge tone="off">{key.isRevoked ? text.revoked : text.expired}</Badge>}
                  </span>
                  <span className="text-xs text-ink-3">
                    <Address value={key.key} />
                  </span>
                </span>
              ),
            },
            {
              key: 'may',
              title: text.columns.may,
              cell: (key) => {
                const { spend, may } = words(key)
                const [first, ...rest] = spend
                return (
                  <span className="text-ink-2">
                    <strong className="font-semibold text-ink">{first}</strong>
                    {text.afterFirst(rest)}
                    {may}
                  </span>
                )
              },
            },
            {
              key: 'left',
              title: text.columns.left,
              cell: (key) =>
                maySpend(key.rights) ? (
                  <span className="flex min-w-32 flex-col gap-1">
                    <span className="num">{text.leftOf(format.usd(key.leftWei), format.usd(key.totalWei))}</span>
                    <Bar
                      label={text.leftOf(format.usd(key.leftWei), format.usd(key.totalWei))}
                      parts={[{ share: shareOf(key.leftWei, key.totalWei), tone: 'ink' }]}
                    />
                  </span>
                ) : (
                  <span className="text-ink-3">{text.spendsNothing}</span>
                ),
            },
            {
              key: 'until',
              title: text.columns.until,
              cell: (key) => <span className="num whitespace-nowrap">{format.date(key.validUntil)}</span>,
            },
            {
              key: 'actions',
              title: text.columns.actions,
              actions: true,
              cell: (key) =>
                !key.isRevoked && (
                  <span className="flex justify-end gap-1.5">
                    {/* The contract does not list the providers of a grant, and a change replaces them. */}
                    {key.isAnyProvider && (
                      <Button size="sm" aria-label={text.changeOf(nameOf(key.key))} onClick={() => onChange(key)}>
                        {text.change}
                      </Button>
                    )}
                    <Button size="sm" aria-label={text.revokeOf(nameOf(key.key))} onClick={() => setRevoked(key)}>
                      {text.revoke}
                    </Button>
                  </span>
                ),
            },
          ]}
        />
      )}
      {revoked && (
        <RevokeDialog purse={purse} name={nameOf(revoked.key)} address={revoked.key} onClose={() => setRevoked(undefined)} />
      )}
    </Section>
  )
}

/** From 0 to 1, for a bar. */
const shareOf = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 1000n) / whole) / 1000)

function RevokeDialog({
  purse,
  name,
  address,
  onClose,
}: {
  purse: ChainAddress
  name: string
  address: ChainAddress
  onClose: () => void
}) {
  const text = useMessages(keyMessages)
  const { busy, send } = useTransaction()
  const revoke = async () => {
    const options = { description: text.describeRevoke(name), success: { title: text.isRevoked } }
    if (await send(revokeKeyCall(purse, address), options)) onClose()
  }
  return (
    <FormDialog
      title={text.revokeTitle(name)}
      cancel={text.cancel}
      submit={text.revoke}
      submitting={busy}
      onSubmit={() => void revoke()}
      onClose={onClose}
    >
      <p className="text-ink-2">{text.revokeText}</p>
    </FormDialog>
  )
}
