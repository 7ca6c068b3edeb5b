import { Monitor, Puzzle, Smartphone } from 'lucide-react'
import { useMessages } from '../../../i18n/useMessages.ts'
import type { WalletDescriptor } from '../../session/wallets/WalletDescriptor.ts'
import { type DownloadWay, downloadWays, type WizardMove } from '../../session/wallets/wizard.ts'
import { dialogMessages } from '../messages.ts'
import { WalletIcon } from '../WalletIcon.tsx'

const ICONS = { extension: Puzzle, mobile: Smartphone, desktop: Monitor } as const

export function DownloadOptionsStep({ wallet, move }: { wallet: WalletDescriptor; move: (move: WizardMove) => void }) {
  const text = useMessages(dialogMessages).options
  const words: Record<DownloadWay, { title: string; text: string }> = {
    extension: { title: text.extension, text: text.extensionText },
    mobile: { title: text.mobile, text: text.mobileText },
    desktop: { title: text.desktop, text: text.desktopText },
  }
  const go = (way: DownloadWay) =>
    move({
      type: 'go',
      step: way === 'extension' ? 'INSTRUCTIONS_EXTENSION' : way === 'desktop' ? 'INSTRUCTIONS_DESKTOP' : 'DOWNLOAD',
    })
  return (
    <div className="flex flex-1 flex-col justify-center gap-5">
      <div className="flex flex-col items-center gap-3">
        <WalletIcon wallet={wallet} large />
        <h3 className="text-base">{text.title(wallet.name)}</h3>
      </div>
      <ul className="flex flex-col gap-2.5">
        {downloadWays(wallet).map((way) => {
          const Icon = ICONS[way]
          return (
            <li key={way}>
              <button
                type="button"
                onClick={() => go(way)}
                className="flex w-full items-center gap-4 rounded-lg border border-line-2 px-4 py-3 text-left hover:border-edge"
              >
                <Icon aria-hidden className="size-5 shrink-0 text-accent" />
                <span>
                  <span className="block font-medium">{words[way].title}</span>
                  <span className="block text-xs text-ink-2">{words[way].text}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
