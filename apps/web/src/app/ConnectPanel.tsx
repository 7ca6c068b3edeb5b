import { Wallet, X } from 'lucide-react'
import { useMessages } from '../i18n/useMessages.ts'
import { Button } from '../ui/Button.tsx'
import { appMessages } from './messages.ts'

/** Docked at the lower right, on a phone, and where text is twice as large, a sheet at the foot: the page behind it stays usable, and the focus where it is. */
export function ConnectPanel({ isFree, onConnect, onClose }: { isFree: boolean; onConnect: () => void; onClose: () => void }) {
  const text = useMessages(appMessages).connect
  const words = isFree ? text.free : text.own
  return (
    <section
      aria-label={text.label}
      data-connect-panel
      className="no-print fixed right-8 bottom-6 z-30 flex w-88 flex-col gap-2.5 rounded-lg border border-edge bg-raised p-4 max-md:inset-x-0 max-md:bottom-0 max-md:h-18 max-md:w-auto max-md:flex-row max-md:items-center max-md:gap-3 max-md:rounded-none max-md:border-x-0 max-md:border-b-0 max-md:py-0"
    >
      <div className="flex min-w-0 flex-1 items-start gap-2.5 max-md:items-center">
        <Wallet aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2 max-md:mt-0" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold max-md:text-sm">{words.title}</p>
          <p className="text-xs text-ink-2">{words.text}</p>
        </div>
      </div>
      <div className="flex shrink-0 items-center gap-2.5">
        <span className="flex-1 max-md:hidden">
          <Button block onClick={onConnect}>
            {text.connect}
          </Button>
        </span>
        <span className="max-md:hidden">
          <Button variant="quiet" onClick={onClose}>
            {text.later}
          </Button>
        </span>
        <span className="md:hidden">
          <Button size="sm" onClick={onConnect}>
            {text.connectShort}
          </Button>
        </span>
        <span className="md:hidden">
          <Button
            size="sm"
            variant="quiet"
            aria-label={text.later}
            icon={<X aria-hidden className="size-4" />}
            onClick={onClose}
          />
        </span>
      </div>
    </section>
  )
}
