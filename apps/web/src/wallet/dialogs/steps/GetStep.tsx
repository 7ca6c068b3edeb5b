import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dotted } from '../../../ui/Dotted.tsx'
import type { WalletDescriptor } from '../../session/wallets/WalletDescriptor.ts'
import { downloadWays, stepFor, type WizardMove } from '../../session/wallets/wizard.ts'
import { dialogMessages } from '../messages.ts'
import { WalletIcon } from '../WalletIcon.tsx'

export function GetStep({ wallets, move }: { wallets: readonly WalletDescriptor[]; move: (move: WizardMove) => void }) {
  const text = useMessages(dialogMessages).get
  const offered = wallets.filter((wallet) => !wallet.installed && downloadWays(wallet).length > 0)
  return (
    <div className="flex flex-1 flex-col gap-4">
      <h3 className="text-center text-base">{text.title}</h3>
      <p className="text-center text-ink-2">{text.text}</p>
      <ul className="flex flex-col gap-3">
        {offered.map((wallet) => (
          <li key={wallet.id} className="flex items-center gap-3">
            <WalletIcon wallet={wallet} />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{wallet.name}</span>
              <span className="block text-xs text-ink-3">
                <Dotted parts={downloadWays(wallet).map((way) => text.kinds[way])} />
              </span>
            </span>
            <Button
              size="sm"
              aria-label={text.getNamed(wallet.name)}
              onClick={() => move({ type: 'go', step: stepFor(wallet), wallet })}
            >
              {text.get}
            </Button>
          </li>
        ))}
      </ul>
      <p className="mt-auto text-xs text-ink-3">{text.other}</p>
    </div>
  )
}
