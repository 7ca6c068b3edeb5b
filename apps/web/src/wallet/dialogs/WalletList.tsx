import { useId } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { DEVELOPMENT_WALLET_ID } from '../session/wallets/catalogue.ts'
import type { WalletGroup } from '../session/wallets/groupWallets.ts'
import type { WalletDescriptor } from '../session/wallets/WalletDescriptor.ts'
import { dialogMessages } from './messages.ts'
import { useWalletName } from './useWalletName.ts'
import { WalletIcon } from './WalletIcon.tsx'

export interface WalletListProps {
  groups: readonly WalletGroup[]
  recent: readonly string[]
  selected: string | undefined
  /** The wallet in which the person has just said no. */
  declined?: string | undefined
  onSelect: (wallet: WalletDescriptor) => void
}

export function WalletList({ groups, recent, selected, declined, onSelect }: WalletListProps) {
  const text = useMessages(dialogMessages).connect
  const nameOf = useWalletName()
  const id = useId()
  return groups.map((group) => (
    <div key={group.name} className="mt-3">
      <h3 id={`${id}-${group.name}`} className="px-2.5 pb-1 text-xs font-normal text-ink-3">
        {text.groups[group.name]}
      </h3>
      <ul aria-labelledby={`${id}-${group.name}`} className="flex flex-col gap-0.5">
        {group.wallets.map((wallet) => (
          <li key={wallet.id}>
            <button
              type="button"
              aria-pressed={wallet.id === selected}
              data-wallet={wallet.id}
              onClick={() => onSelect(wallet)}
              className={`flex w-full items-center gap-3 rounded-md px-2.5 py-2 text-left font-medium ${wallet.id === selected ? 'bg-accent-soft' : 'hover:bg-sunk'} ${wallet.unsupported ? 'text-ink-3' : ''}`}
            >
              <WalletIcon wallet={wallet} />
              <span className="min-w-0 flex-1">
                <span className="block truncate">
                  {wallet.shortName ?? nameOf(wallet)} {wallet.unsupported && text.unsupported}
                </span>
                {wallet.id === DEVELOPMENT_WALLET_ID && (
                  <span className="block text-xs font-normal text-ink-2">{text.development}</span>
                )}
              </span>
              {wallet.id === declined ? (
                <span className="text-xs font-normal text-ink-3">{text.declined}</span>
              ) : recent.includes(wallet.id) ? (
                <span className="rounded-full bg-run-soft px-2 text-xs font-medium text-run">{text.recent}</span>
              ) : null}
            </button>
          </li>
        ))}
      </ul>
    </div>
  ))
}
