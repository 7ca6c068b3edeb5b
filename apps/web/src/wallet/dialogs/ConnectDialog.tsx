import { ArrowLeft, X } from 'lucide-react'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { walletMessages } from '../messages.ts'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import { groupWallets } from '../session/wallets/groupWallets.ts'
import { listWallets } from '../session/wallets/listWallets.ts'
import { readRecentWallets } from '../session/wallets/recentWallets.ts'
import { moveWizard, WIZARD_START } from '../session/wallets/wizard.ts'
import { useAccountState } from '../useAccountState.ts'
import { dialogMessages } from './messages.ts'
import { SignInView } from './SignInView.tsx'
import { useAnnounced } from './useAnnounced.ts'
import { useCompact } from './useCompact.ts'
import { useConnecting } from './useConnecting.ts'
import { WalletList } from './WalletList.tsx'
import { WizardView } from './WizardView.tsx'

/** List at the left and the current step at the right; below 768 px one after the other. While unauthenticated it is the sign-in. */
export function ConnectDialog({ runtime, onClose }: { runtime: WalletRuntime; onClose: () => void }) {
  const { title } = useMessages(walletMessages)
  const { status } = useAccountState()
  const compact = useCompact()
  const connectors = useAnnounced(runtime)
  const [recent] = useState(readRecentWallets)
  const [wizard, move] = useReducer(moveWizard, WIZARD_START)
  const [declined, setDeclined] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const connecting = useConnecting(
    runtime,
    useCallback((wallet) => {
      setDeclined(wallet.id)
      move({ type: 'reset' })
    }, []),
  )
  useEffect(() => {
    const row = declined === undefined ? undefined : `[data-wallet=${CSS.escape(declined)}]`
    if (row) list.current?.querySelector<HTMLElement>(row)?.focus({ preventScroll: true })
  }, [declined])

  if (status === 'unauthenticated') return <SignInView runtime={runtime} onClose={onClose} />

  const wallets = listWallets(
    connectors.map((connector) => ({ id: connector.id, name: connector.name, icon: connector.icon })),
    { chainId: runtime.installation.chainId, projectId: runtime.installation.walletConnectProjectId },
    runtime.catalogue,
  )
  const showList = !compact || wizard.step === 'NONE'
  const showStep = !compact || wizard.step !== 'NONE'
  return (
    <Dialog open onClose={onClose} title={title} bare wide={!compact}>
      <div className={compact ? '' : 'cols-dialog min-h-112'}>
        {showList && (
          <div ref={list} className={`flex flex-col px-3 pt-5 pb-5 ${compact ? '' : 'border-r border-line'}`}>
            <div className="flex items-center justify-between px-2.5">
              <p aria-hidden className="text-base font-semibold">
                {title}
              </p>
              {compact && <CloseButton onClose={onClose} />}
            </div>
            <WalletList
              groups={groupWallets(wallets, recent)}
              recent={recent}
              selected={wizard.wallet?.id}
              declined={declined}
              onSelect={(wallet) => {
                setDeclined(undefined)
                move({ type: 'select', wallet })
                if (wallet.installed && !wallet.unsupported) connecting.start(wallet)
                else connecting.clear()
              }}
            />
            {compact && <WhatIs onOpen={() => move({ type: 'go', step: 'LEARN_COMPACT' })} />}
          </div>
        )}
        {showStep && (
          <div className="flex min-h-96 flex-col px-6 pt-4 pb-5">
            <div className="flex h-9 items-center justify-between">
              {wizard.trail.length > 0 && (compact || wizard.trail.length > 1 || wizard.step !== 'CONNECT') ? (
                <BackButton
                  onBack={() => {
                    if (wizard.step === 'CONNECT') connecting.clear()
                    move({ type: 'back' })
                  }}
                />
              ) : (
                <span />
              )}
              <CloseButton onClose={onClose} />
            </div>
            <WizardView wizard={wizard} move={move} connecting={connecting} wallets={wallets} compact={compact} />
          </div>
        )}
      </div>
    </Dialog>
  )
}

function WhatIs({ onOpen }: { onOpen: () => void }) {
  const text = useMessages(dialogMessages).connect
  return (
    <div className="mt-4 flex items-center justify-between border-t border-line px-2.5 pt-4">
      <span className="text-xs text-ink-3">{text.newToWallets}</span>
      <button type="button" className="font-semibold text-accent" onClick={onOpen}>
        {text.whatIs}
      </button>
    </div>
  )
}

function BackButton({ onBack }: { onBack: () => void }) {
  const text = useMessages(dialogMessages).connect
  return (
    <button
      type="button"
      aria-label={text.back}
      onClick={onBack}
      className="-ml-2 rounded-md p-2 text-ink-3 hover:bg-sunk hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
    </button>
  )
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const text = useMessages(uiMessages)
  return (
    <button
      type="button"
      aria-label={text.close}
      onClick={onClose}
      className="-mr-2 rounded-md p-2 text-ink-3 hover:bg-sunk hover:text-ink"
    >
      <X aria-hidden className="size-4" />
    </button>
  )
}
