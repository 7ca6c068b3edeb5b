import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import type { WalletDescriptor } from '../../session/wallets/WalletDescriptor.ts'
import type { WizardMove } from '../../session/wallets/wizard.ts'
import { dialogMessages } from '../messages.ts'
import { QrCode } from '../QrCode.tsx'

export function DownloadStep({
  wallet,
  compact,
  move,
}: {
  wallet: WalletDescriptor
  compact: boolean
  move: (move: WizardMove) => void
}) {
  const text = useMessages(dialogMessages).download
  const url = wallet.downloadUrls?.qrCode ?? wallet.downloadUrls?.mobile ?? wallet.downloadUrls?.browserExtension ?? ''
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 text-center">
      <h3 className="text-base">{text.title(wallet.name)}</h3>
      <p className="max-w-note text-ink-2">{compact ? text.here : text.text}</p>
      {!compact && <QrCode value={url} label={text.qr(wallet.name)} compact={compact} />}
      <div className="flex flex-wrap justify-center gap-2.5">
        <ButtonLink to={url}>{text.open}</ButtonLink>
        <Button variant="primary" onClick={() => move({ type: 'go', step: 'INSTRUCTIONS_MOBILE' })}>
          {text.next}
        </Button>
      </div>
    </div>
  )
}
