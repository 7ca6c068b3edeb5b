import { Check, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'
import { subscribeModals, topModal } from './modalStack.ts'
import { currentToasts, dismissToast, holdToast, releaseToast, subscribeToasts, type Toast } from './toastStore.ts'

/** The place where timed messages appear: inside of the topmost dialog while one is open, since nothing else can be pressed then. */
export function Toaster() {
  const modal = useSyncExternalStore(subscribeModals, topModal, topModal)
  return modal === undefined ? <ToastRegion /> : createPortal(<ToastRegion />, modal)
}

/** At the left: what is decided, its price and its button stand at the right of every page. */
function ToastRegion() {
  const text = useMessages(uiMessages)
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = region.current
    // A dialog that is just closing takes the region along; the next one is in the page.
    if (!element?.isConnected) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (toasts.length > 0) element.showPopover()
  }, [toasts])
  return (
    <section
      ref={region}
      popover="manual"
      aria-label={text.notifications}
      aria-live="polite"
      className="no-print fixed inset-auto bottom-4 left-4 m-0 w-full max-w-note bg-transparent p-0 text-ink max-sm:left-1/2 max-sm:-translate-x-1/2 max-sm:px-4"
    >
      <ol className="flex flex-col gap-2">
        {toasts.map((entry) => (
          <ToastCard key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

function ToastCard({ entry }: { entry: Toast }) {
  const text = useMessages(uiMessages)
  const hold = () => holdToast(entry.id)
  const release = () => releaseToast(entry.id)
  // A dialog that opens or closes under a pointer takes the card away from it.
  useEffect(() => () => releaseToast(entry.id), [entry.id])
  const good = entry.tone === 'good'
  return (
    <li
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
      className={`flex gap-3 rounded-lg border bg-raised p-3 shadow-pop ${good ? 'border-idle' : 'border-bad'}`}
    >
      {good ? (
        <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-idle" />
      ) : (
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      )}
      <div className="min-w-0 flex-1">
        <p className={`font-medium ${good ? 'text-idle' : 'text-bad'}`}>{entry.title}</p>
        {entry.text !== undefined && <p className="break-words text-ink-2">{entry.text}</p>}
        {entry.details !== undefined && (
          <details className="mt-1 text-xs text-ink-2">
            <summary>{text.details}</summary>
            <p className="num max-h-40 overflow-y-auto break-words">{entry.details}</p>
          </details>
        )}
      </div>
      <button
        type="button"
        aria-label={text.dismiss}
        onClick={() => dismissToast(entry.id)}
        className="self-start rounded-sm p-1 text-ink-3 hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  )
}
