import { DEVELOPMENT_WALLET_ID } from '../session/wallets/catalogue.ts'
import type { WalletDescriptor } from '../session/wallets/WalletDescriptor.ts'
import { useWalletName } from './useWalletName.ts'

/** The wallet's own picture if it brought one along, else the first letter of its name. */
export function WalletIcon({ wallet, large = false }: { wallet: WalletDescriptor; large?: boolean }) {
  const nameOf = useWalletName()
  const size = large ? 'size-16 rounded-xl text-2xl' : 'size-8 rounded-md text-sm'
  if (wallet.iconUrl) return <img src={wallet.iconUrl} alt="" className={`shrink-0 ${size}`} />
  const own = wallet.id === DEVELOPMENT_WALLET_ID
  return (
    <span
      aria-hidden
      className={`grid shrink-0 place-items-center font-semibold ${own ? 'bg-ink text-paper' : 'text-on-icon'} ${size}`}
      style={own ? undefined : { background: wallet.iconBackground }}
    >
      {nameOf(wallet).slice(0, 1)}
    </span>
  )
}
