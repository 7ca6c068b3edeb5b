import { MARKET_CHAINS, type MarketChainId } from '@rackfair/rules/chains'
import { toWalletError } from '@rackfair/sdk/walletError'
import { useState } from 'react'
import { switchChain } from 'wagmi/actions'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { ChainIcon } from '../ChainIcon.tsx'
import { disconnectWallet } from '../session/connection/disconnectWallet.ts'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import { useAccountState } from '../useAccountState.ts'
import { dialogMessages } from './messages.ts'

/** The networks of the market; one that this installation does not serve says so. */
export function ChainDialog({ runtime, onClose }: { runtime: WalletRuntime; onClose: () => void }) {
  const text = useMessages(dialogMessages).chain
  const { chainId, supported } = useAccountState()
  const [switching, setSwitching] = useState<number>()
  const [failed, setFailed] = useState(false)
  const market = runtime.wagmi.chains[0]

  const choose = async (id: number) => {
    setFailed(false)
    setSwitching(id)
    try {
      await switchChain(runtime.wagmi, { chainId: id })
      onClose()
    } catch (error) {
      setFailed(toWalletError(error).code !== 'user_rejected')
    } finally {
      setSwitching(undefined)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={text.title}
      {...(supported
        ? {}
        : {
            footer: (
              <Button variant="danger" onClick={() => void disconnectWallet(runtime)}>
                {text.disconnect}
              </Button>
            ),
          })}
    >
      <div className="flex flex-col gap-3">
        {!supported && (
          <Notice tone="warn" title={text.wrong}>
            {text.wrongText}
          </Notice>
        )}
        <ul className="flex flex-col gap-1">
          {Object.values(MARKET_CHAINS).map((chain) => (
            <li key={chain.id}>
              <ChainButton
                chain={chain}
                isCurrent={chain.id === chainId}
                isServed={chain.id === market.id}
                switching={switching}
                onChoose={() => void choose(chain.id)}
              />
            </li>
          ))}
        </ul>
        {failed && <Notice tone="bad">{text.failed}</Notice>}
        {!supported && <ByHand market={market} />}
      </div>
    </Dialog>
  )
}

interface ChainButtonProps {
  chain: (typeof MARKET_CHAINS)[MarketChainId]
  /** The wallet is on it. */
  isCurrent: boolean
  /** This installation serves it. */
  isServed: boolean
  /** The network that the wallet is being moved to. */
  switching: number | undefined
  onChoose: () => void
}

function ChainButton({ chain, isCurrent, isServed, switching, onChoose }: ChainButtonProps) {
  const text = useMessages(dialogMessages).chain
  const canBeChosen = isServed && !isCurrent && switching === undefined
  return (
    <button
      type="button"
      aria-current={isCurrent || undefined}
      aria-disabled={!canBeChosen || undefined}
      onClick={() => {
        if (canBeChosen) onChoose()
      }}
      className={`flex w-full items-center justify-between gap-4 rounded-md px-3 py-2.5 text-left ${isCurrent ? 'bg-accent-soft' : isServed ? 'hover:bg-sunk' : 'text-ink-3'}`}
    >
      <span className="flex items-center gap-2.5 font-medium">
        <ChainIcon chainId={chain.id} />
        <span>
          {chain.name} <span className="num font-normal text-ink-2">{chain.id}</span>
        </span>
      </span>
      <span className="text-xs">
        {switching === chain.id ? (
          <span className="flex items-center gap-2">
            <Spinner /> {text.switching}
          </span>
        ) : isCurrent ? (
          <StateDot tone="idle">{text.connected}</StateDot>
        ) : isServed ? null : (
          text.notDeployed
        )}
      </span>
    </button>
  )
}

/** The facts with which a wallet that cannot be told adds the network. */
function ByHand({ market }: { market: WalletRuntime['wagmi']['chains'][0] }) {
  const text = useMessages(dialogMessages).chain
  const rpcUrl = market.rpcUrls.default.http[0] ?? ''
  return (
    <section className="border-t border-line pt-3">
      <h3 className="mb-2 text-sm">{text.byHand}</h3>
      <Facts
        facts={[
          { term: text.name, value: market.name },
          { term: text.id, value: market.id },
          { term: text.currency, value: market.nativeCurrency.symbol },
          { term: text.rpc, value: rpcUrl },
        ]}
      />
      <div className="mt-2 flex justify-end">
        <CopyButton size="sm" value={rpcUrl}>
          {text.copyRpc}
        </CopyButton>
      </div>
    </section>
  )
}
