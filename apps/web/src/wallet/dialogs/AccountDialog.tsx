import { shortAddress, shortEnsName } from '@rackfair/rules/text/shortText'
import { useState } from 'react'
import { getConnection } from 'wagmi/actions'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Avatar } from '../Avatar.tsx'
import { ShortBalance } from '../ShortBalance.tsx'
import { disconnectWallet } from '../session/connection/disconnectWallet.ts'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import { DEVELOPMENT_WALLET_ID } from '../session/wallets/catalogue.ts'
import { useAccountState } from '../useAccountState.ts'
import { useBalance } from '../useBalance.ts'
import { useEns } from '../useEns.ts'
import { Exchange, type ExchangeWay } from './Exchange.tsx'
import { FaucetButton } from './FaucetButton.tsx'
import { dialogMessages } from './messages.ts'
import { NativeAmount } from './NativeAmount.tsx'
import { RecentTransactions } from './RecentTransactions.tsx'

export function AccountDialog({ runtime, onClose }: { runtime: WalletRuntime; onClose: () => void }) {
  const text = useMessages(dialogMessages).account
  const { address = '0x' } = useAccountState()
  const { faucet, creditLink, explorerUrl } = runtime.installation
  const ens = useEns(address)
  const balance = useBalance()
  const [leaving, setLeaving] = useState(false)
  const [exchange, setExchange] = useState<ExchangeWay>()
  const toggle = (way: ExchangeWay) => setExchange((open) => (open === way ? undefined : way))
  const development = getConnection(runtime.wagmi).connector?.id === DEVELOPMENT_WALLET_ID

  return (
    <Dialog open onClose={onClose} title={text.title}>
      <div className="flex flex-col gap-5">
        <div className="flex items-center gap-4">
          <Avatar address={address} picture={ens?.avatar} large />
          <div className="min-w-0">
            <p className="num text-lg font-medium">{ens ? shortEnsName(ens.name) : shortAddress(address)}</p>
            <p className="num text-xs break-all text-ink-3">{address}</p>
          </div>
        </div>
        {development && (
          <Notice tone="warn" title={text.development}>
            {text.developmentText}
          </Notice>
        )}
        <Facts
          facts={[
            { term: text.balance, value: <ShortBalance wei={balance.creditWei} failed={balance.isError} spoken /> },
            {
              term: text.gas,
              value: balance.nativeWei === undefined && !balance.isError ? '…' : <NativeAmount wei={balance.nativeWei ?? 0n} />,
            },
          ]}
        />
        {balance.isError && (
          <div role="alert" className="flex items-center justify-end gap-3 text-xs text-bad">
            {text.failed}
            <Button size="sm" onClick={balance.refetch}>
              {text.retry}
            </Button>
          </div>
        )}
        <div className="flex flex-wrap gap-2.5">
          <CopyButton value={address}>{text.copy}</CopyButton>
          {faucet && <FaucetButton address={address} />}
          <Button aria-expanded={exchange === 'get'} onClick={() => toggle('get')}>
            {text.getCredit}
          </Button>
          <Button aria-expanded={exchange === 'out'} onClick={() => toggle('out')}>
            {text.exchange.cashOut}
          </Button>
          {!faucet && creditLink !== null && <ButtonLink to={creditLink}>{text.whereCredit}</ButtonLink>}
          {explorerUrl !== null && (
            <ButtonLink to={`${explorerUrl.replace(/\/$/, '')}/address/${address}`}>{text.explorer}</ButtonLink>
          )}
          <Button
            variant="danger"
            pending={leaving}
            onClick={() => {
              setLeaving(true)
              void disconnectWallet(runtime)
            }}
          >
            {text.disconnect}
          </Button>
        </div>
        {exchange && <Exchange key={exchange} way={exchange} address={address} onDone={() => setExchange(undefined)} />}
        <RecentTransactions runtime={runtime} address={address} />
      </div>
    </Dialog>
  )
}
