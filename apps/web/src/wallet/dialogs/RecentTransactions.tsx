import { useSyncExternalStore } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Hash } from '../../ui/Hash.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import { dialogMessages } from './messages.ts'

const SHOWN = 3
const TONES = { pending: 'run', confirmed: 'idle', failed: 'bad', unknown: 'warn' } as const

/** The last three transactions of this account on this chain; a batch that the wallet still carries out has no hash yet. */
export function RecentTransactions({
  runtime: { transactions, installation },
  address,
}: {
  runtime: WalletRuntime
  address: string
}) {
  const text = useMessages(dialogMessages).account
  const all = useSyncExternalStore(transactions.subscribe, () => transactions.of(address, installation.chainId))
  const batches = useSyncExternalStore(transactions.batches.subscribe, () =>
    transactions.batches.of(address, installation.chainId),
  )
  const rows = [
    ...batches.map(({ id, description, unknown }) => ({
      ...{ key: id, description, hash: undefined },
      status: unknown ? ('unknown' as const) : ('pending' as const),
    })),
    ...all.map(({ hash, description, status }) => ({ key: hash, description, status, hash })),
  ]
  return (
    <section className="border-t border-line pt-4">
      <div className="flex items-baseline justify-between">
        <h3 className="text-sm">{text.recent}</h3>
        {all.some((entry) => entry.status !== 'pending') && (
          <button
            type="button"
            className="text-xs text-ink-2 underline underline-offset-4"
            onClick={() => transactions.clear(address, installation.chainId)}
          >
            {text.clear}
          </button>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="mt-2 text-xs text-ink-3">{text.noRecent}</p>
      ) : (
        <ul className="mt-1">
          {rows.slice(0, SHOWN).map((entry) => (
            <li key={entry.key} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 break-words">{entry.description}</span>
              <span className="flex items-center gap-4 text-xs">
                <StateDot tone={TONES[entry.status]}>{text.status[entry.status]}</StateDot>
                {entry.hash && <Hash value={entry.hash} explorerUrl={installation.explorerUrl} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
