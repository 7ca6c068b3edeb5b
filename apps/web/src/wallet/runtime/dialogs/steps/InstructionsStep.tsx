import { useMessages } from '../../../../i18n/useMessages.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ButtonLink } from '../../../../ui/ButtonLink.tsx'
import type { WalletDescriptor } from '../../wallets/WalletDescriptor.ts'
import type { DownloadWay, WizardMove } from '../../wallets/wizard.ts'
import { dialogMessages } from '../messages.ts'

export function InstructionsStep({
  wallet,
  way,
  move,
}: {
  wallet: WalletDescriptor
  way: DownloadWay
  move: (move: WizardMove) => void
}) {
  const text = useMessages(dialogMessages).instructions
  const urls = wallet.downloadUrls ?? {}
  const { steps, url } = {
    extension: { steps: wallet.extension?.steps, url: urls.browserExtension ?? urls.chrome },
    mobile: { steps: wallet.qrCode?.steps, url: urls.mobile ?? urls.qrCode },
    desktop: { steps: wallet.desktop?.steps, url: urls.desktop },
  }[way]
  return (
    <div className="flex flex-1 flex-col gap-5">
      <h3 className="text-center text-base">{text.title(wallet.name)}</h3>
      <ol className="mx-auto flex max-w-note flex-1 flex-col justify-center gap-5">
        {(steps ?? []).map((step, index) => (
          <li key={step} className="flex gap-4">
            <span aria-hidden className="num grid size-8 shrink-0 place-items-center rounded-md bg-sunk">
              {index + 1}
            </span>
            <div>
              <p className="font-medium">{text.steps[step].title(wallet.name)}</p>
              <p className="text-ink-2">{text.steps[step].text}</p>
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
        ) : (
          <Button variant="primary" onClick={() => move({ type: 'reset' })}>
            {text.done}
          </Button>
        )}
      </div>
    </div>
  )
}
