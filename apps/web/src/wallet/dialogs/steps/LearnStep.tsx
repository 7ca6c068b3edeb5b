import { KeyRound, PenLine } from 'lucide-react'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { dialogMessages } from '../messages.ts'

/** What a wallet is: the right column before a choice, a step of its own on small screens. */
export function LearnStep({ onGet }: { onGet: () => void }) {
  const { learn, connect } = useMessages(dialogMessages)
  return (
    <div className="flex flex-1 flex-col justify-center gap-6 px-2">
      <h3 className="text-center text-base">{learn.title}</h3>
      <ul className="mx-auto flex max-w-note flex-col gap-5">
        <li className="flex gap-4">
          <KeyRound aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
          <div>
            <p className="font-medium">{learn.keysTitle}</p>
            <p className="text-ink-2">{learn.keysText}</p>
          </div>
        </li>
        <li className="flex gap-4">
          <PenLine aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
          <div>
            <p className="font-medium">{learn.signTitle}</p>
            <p className="text-ink-2">{learn.signText}</p>
          </div>
        </li>
      </ul>
      <div className="text-center">
        <Button onClick={onGet}>{connect.getWallet}</Button>
      </div>
    </div>
  )
}
