import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { buttonClass } from '../../../ui/buttonClass.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { DEVELOPMENT_WALLET_ID, WALLET_CONNECT_ID } from '../../session/wallets/catalogue.ts'
import type { WalletDescriptor } from '../../session/wallets/WalletDescriptor.ts'
import { dialogMessages } from '../messages.ts'
import { QrCode } from '../QrCode.tsx'
import type { Connecting } from '../useConnecting.ts'
import { useWalletName } from '../useWalletName.ts'
import { WalletIcon } from '../WalletIcon.tsx'

export interface ConnectStepProps {
  wallet: WalletDescriptor
  connecting: Connecting
  compact: boolean
  onGet: () => void
}

export function ConnectStep({ wallet, connecting, compact, onGet }: ConnectStepProps) {
  const { opening: text, connect } = useMessages(dialogMessages)
  const name = useWalletName()(wallet)
  const { state } = connecting
  const uri = state.phase === 'opening' ? state.uri : undefined
  const failed = state.phase === 'failed'
  const scans = wallet.id === WALLET_CONNECT_ID && !failed

  return (
    <div className="flex flex-1 flex-col">
      <div aria-live="polite" className="flex flex-1 flex-col items-center justify-center gap-3 pb-4 text-center">
        {wallet.unsupported ? (
          <>
            <WalletIcon wallet={wallet} large />
            <h3 className="text-base">{text.unsupportedTitle(name)}</h3>
            <p className="max-w-note text-ink-2">{text.unsupportedText}</p>
          </>
        ) : scans ? (
          <>
            <h3 className="text-base">{compact ? text.openOrScan : text.scanAny}</h3>
            {uri === undefined ? (
              <p className="flex items-center gap-2 py-14 text-ink-2">
                <Spinner /> {text.preparing}
              </p>
            ) : (
              <>
                {compact && (
                  <a href={uri} className={buttonClass('primary', 'md')}>
                    {text.openApp}
                  </a>
                )}
                <QrCode value={uri} label={text.qr} compact={compact} />
                <CopyButton size="sm" variant="quiet" value={uri}>
                  {text.copyLink}
                </CopyButton>
              </>
            )}
            <p className="max-w-note text-ink-2">{compact ? text.openText : text.scanText}</p>
          </>
        ) : (
          <>
            <WalletIcon wallet={wallet} large />
            <h3 className="text-base">{failed ? text.failed(name) : text.title(name)}</h3>
            <p className="max-w-note text-ink-2">
              {failed
                ? state.reason === 'network'
                  ? text.networkText
                  : text.failedText
                : wallet.id === DEVELOPMENT_WALLET_ID
                  ? text.development
                  : text.text}
            </p>
          </>
        )}
        {failed ? (
          <Button onClick={() => connecting.start(wallet)}>{text.retry}</Button>
        ) : (
          !scans && !wallet.unsupported && <Spinner large />
        )}
        {failed && <p className="num max-w-note text-xs break-words whitespace-pre-line text-ink-3">{state.details}</p>}
      </div>
      <div className="flex items-center justify-between border-t border-line pt-4">
        <span className="text-xs text-ink-3">{connect.newToWallets}</span>
        <button type="button" className="font-semibold text-accent" onClick={onGet}>
          {connect.getWallet}
        </button>
      </div>
    </div>
  )
}
