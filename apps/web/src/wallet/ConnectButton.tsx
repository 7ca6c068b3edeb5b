import { isMarketChain, MARKET_CHAINS } from '@rackfair/rules/chains'
import { shortAddress, shortEnsName } from '@rackfair/rules/text/shortText'
import { Suspense } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { useConfig } from '../platform/api/config.ts'
import { lazyPart } from '../platform/loading/lazyPart.ts'
import { Button } from '../ui/Button.tsx'
import { buttonClass } from '../ui/buttonClass.ts'
import { StateShape } from '../ui/StateDot.tsx'
import { ChainIcon } from './ChainIcon.tsx'
import { openDialog } from './dialogStore.ts'
import { walletMessages } from './messages.ts'
import { CONNECT_ID } from './OpeningDialog.tsx'
import { ShortBalance } from './ShortBalance.tsx'
import { useAccountState } from './useAccountState.ts'
import { useBalance } from './useBalance.ts'
import { useEns } from './useEns.ts'

/** The header's variants draw none, so public pages do not load it. */
const Avatar = lazyPart(() => import('./Avatar.tsx').then((module) => module.Avatar))

export type AccountVariant = 'full' | 'address' | 'avatar'
export type ChainVariant = 'full' | 'icon' | 'name' | 'none'
/** One value, or one for small and one for large screens (from 1024 px). */
export type BySize<Value> = Value | { small: Value; large: Value }

export interface ConnectButtonProps {
  label?: string
  accountStatus?: BySize<AccountVariant>
  chainStatus?: BySize<ChainVariant>
  showBalance?: BySize<boolean>
}

const HIDDEN = { small: 'lg:hidden', large: 'max-lg:hidden' } as const

/** Connect while disconnected; else the network and the account, each opening its dialog. */
export function ConnectButton(props: ConnectButtonProps) {
  return (
    <span data-holds-focus className="contents">
      <Buttons {...props} />
    </span>
  )
}

function Buttons({
  label,
  accountStatus = { small: 'address', large: 'address' },
  chainStatus = { small: 'none', large: 'full' },
  showBalance = { small: false, large: true },
}: ConnectButtonProps) {
  const text = useMessages(walletMessages)
  const account = useAccountState()
  if (account.status === 'disconnected')
    return (
      <Button data-opens={CONNECT_ID} onClick={() => openDialog('connect')}>
        {label ?? text.connect}
      </Button>
    )
  if (account.status === 'connecting' || account.status === 'loading') return <Button pending>{text.connecting}</Button>
  if (account.status === 'unauthenticated')
    return (
      <Button variant="accent" onClick={() => openDialog('connect')}>
        {text.signIn}
      </Button>
    )
  return (
    <span className="flex items-center gap-2.5">
      {(['small', 'large'] as const).map((size) => (
        <span key={size} className={`flex items-center gap-2.5 ${HIDDEN[size]}`}>
          <ChainButton variant={at(chainStatus, size)} />
          {account.supported && <AccountButton variant={at(accountStatus, size)} balance={at(showBalance, size)} />}
        </span>
      ))}
    </span>
  )
}

function ChainButton({ variant }: { variant: ChainVariant }) {
  const text = useMessages(walletMessages)
  const { chainId = 0, supported } = useAccountState()
  const name = useConfig()?.chainName
  const open = () => openDialog('chain')
  if (!supported)
    return (
      <Button variant="danger" onClick={open} icon={<StateShape tone="warn" />}>
        {text.wrongNetwork}
      </Button>
    )
  if (variant === 'none') return null
  const words = `${isMarketChain(chainId) ? MARKET_CHAINS[chainId].name : (name ?? '')} ${chainId}`
  return (
    <button type="button" onClick={open} aria-label={`${text.network}: ${words}`} className={buttonClass('outline', 'md')}>
      {variant !== 'name' && <ChainIcon chainId={chainId} />}
      {variant !== 'icon' && words}
    </button>
  )
}

function AccountButton({ variant, balance }: { variant: AccountVariant; balance: boolean }) {
  const text = useMessages(walletMessages)
  const { address = '0x' } = useAccountState()
  const ens = useEns(address)
  const { creditWei, isError } = useBalance()
  const shown = ens ? shortEnsName(ens.name) : shortAddress(address)
  return (
    <button
      type="button"
      onClick={() => openDialog('account')}
      aria-label={`${text.account}: ${shown}`}
      className={buttonClass('outline', 'md')}
    >
      {balance && (
        <>
          <ShortBalance wei={creditWei} failed={isError} />
          <span aria-hidden className="h-4 w-px bg-line-2" />
        </>
      )}
      {variant !== 'address' && (
        <Suspense fallback={<span className="size-5" />}>
          <Avatar address={address} picture={ens?.avatar} />
        </Suspense>
      )}
      {variant !== 'avatar' && <span className="num">{shown}</span>}
    </button>
  )
}

function at<Value>(value: BySize<Value>, size: 'small' | 'large'): Value {
  return typeof value === 'object' && value !== null && size in value
    ? (value as { small: Value; large: Value })[size]
    : (value as Value)
}
