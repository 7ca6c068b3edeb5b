import { fillText } from '../../../i18n/fillText.tsx'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { WalletDescriptor } from '../../session/wallets/WalletDescriptor.ts'
import type { DownloadWay, WizardMove } from '../../session/wallets/wizard.ts'
import { dialogMessages } from '../messages.ts'

export interface InstructionsStepProps {
  wallet: WalletDescriptor
  way: DownloadWay
  move: (move: WizardMove) => void
  /** Goes on to the code for a phone; undefined where WalletConnect is not set up. */
  onScan: (() => void) | undefined
}

/** Every way ends where the wallet is used: with this page loaded again, with a code, or in the wallet's own browser. */
export function InstructionsStep({ wallet, way, move, onScan }: InstructionsStepProps) {
  const text = useMessages(dialogMessages).instructions
  const urls = wallet.downloadUrls ?? {}
  const { steps, url } = {
    extension: { steps: wallet.extension?.steps, url: urls.browserExtension ?? urls.chrome },
    mobile: { steps: wallet.qrCode?.steps, url: urls.mobile ?? urls.qrCode },
    desktop: { steps: wallet.desktop?.steps, url: urls.desktop },
  }[way]
  const shown = (steps ?? []).map((step) => (step === 'scan' && !onScan ? 'open' : step))
  return (
    <div className="flex flex-1 flex-col gap-5">
      <h3 className="text-center text-base">{text.title(wallet.name)}</h3>
      <ol className="mx-auto flex max-w-note flex-1 flex-col justify-center gap-5">
        {shown.map((step, index) => (
          <li key={step} className="flex gap-4">
            <span aria-hidden className="num grid size-8 shrink-0 place-items-center rounded-md bg-sunk">
              {index + 1}
            </span>
            <div>
              <p className="font-medium">{text.steps[step].title(wallet.name)}</p>
              <p className="text-ink-2">
                {fillText(text.steps[step].text, { address: <span className="num">{window.location.host}</span> })}
              </p>
              {step === 'open' && (
                <p className="mt-2">
                  <CopyButton size="sm" value={window.location.origin}>
                    {text.copyAddress}
                  </CopyButton>
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap justify-center gap-2.5">
        {url !== undefined && <ButtonLink to={url}>{text.openStore}</ButtonLink>}
        {way === 'extension' ? (
          <Button variant="primary" onClick={() => window.location.reload()}>
            {text.refresh}
          </Button>
        ) : shown.includes('open') ? (
          <Button variant="primary" onClick={() => move({ type: 'reset' })}>
            {text.done}
          </Button>
        ) : (
          <Button variant="primary" onClick={onScan}>
            {text.connect}
          </Button>
        )}
      </div>
    </div>
  )
}
