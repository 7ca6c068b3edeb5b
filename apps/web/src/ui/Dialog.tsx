import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'
import { pushModal } from './modalStack.ts'
import { useIsHydrating } from './useIsHydrating.ts'

export interface DialogProps {
  open: boolean
  /** Called by Escape, the cross and a press outside. */
  onClose: () => void
  title: string
  /** Draws no title bar; the content shows the title itself with this id. */
  bare?: boolean
  wide?: boolean
  /** Buttons at the lower edge, the primary one last. */
  footer?: ReactNode
  /** False while something must not be interrupted: only the buttons inside close it. */
  dismissible?: boolean
  /**
   * Draws it closed with a page that is drawn without a browser. The button whose `data-opens` is the id opens it there before the app is
   * (public/boot.js), and `onOpened` tells the app, which has taken it over open.
   */
  ahead?: { id: string; onOpened: () => void }
  children: ReactNode
}

/** A modal dialog on the browser's own `dialog`: focus starts on what is marked `data-start`, else on the first button, stays inside and returns to where it was, or to what took that place. */
export function Dialog(props: DialogProps) {
  const isHydrating = useIsHydrating()
  return props.open || (props.ahead && isHydrating) ? <DrawnDialog {...props} /> : null
}

function DrawnDialog({
  open,
  onClose,
  title,
  bare = false,
  wide = false,
  footer,
  dismissible = true,
  ahead,
  children,
}: DialogProps) {
  const text = useMessages(uiMessages)
  const titleId = useId()
  const element = useRef<HTMLDialogElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was opened before the app was there
  useLayoutEffect(() => {
    if (element.current?.open) ahead?.onOpened()
  }, [])
  useEffect(() => {
    const dialog = element.current
    if (!dialog || !open) return
    const before = dialog.open ? document.querySelector(`[data-opens="${dialog.id}"]`) : document.activeElement
    const place = before?.closest('[data-holds-focus]')
    if (!dialog.open) dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-start]')?.focus({ preventScroll: true })
    const leave = pushModal(dialog)
    return () => {
      leave()
      dialog.close()
      if (before?.isConnected) (before as HTMLElement).focus({ preventScroll: true })
      else focusInstead(place)
    }
  }, [open])
  return (
    <dialog
      ref={element}
      id={ahead?.id}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (dismissible) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current && dismissible) onClose()
      }}
      className={`m-auto w-full overflow-hidden rounded-xl border border-line-2 bg-raised text-ink max-sm:mb-0 max-sm:max-w-full max-sm:rounded-b-none ${wide ? 'max-w-dialog-wide' : 'max-w-dialog'}`}
    >
      <div className="flex max-h-dialog flex-col">
        {bare ? (
          <h2 id={titleId} className="sr-only">
            {title}
          </h2>
        ) : (
          <div className="flex items-center justify-between gap-4 px-6 pt-5">
            <h2 id={titleId} className="text-lg">
              {title}
            </h2>
            {dismissible && (
              <button
                type="button"
                data-closes
                aria-label={text.close}
                onClick={onClose}
                className="-mr-2 rounded-md p-2 text-ink-3 hover:bg-sunk hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </button>
            )}
          </div>
        )}
        <div className={`min-h-0 overflow-y-auto ${bare ? '' : 'px-6 py-4'}`}>{children}</div>
        {footer !== undefined && (
          <div className="flex flex-wrap justify-end gap-2.5 border-t border-line px-6 py-4">{footer}</div>
        )}
      </div>
    </dialog>
  )
}

/** The opener is gone: the last button that is now at its place (an element with `data-holds-focus`), else the start of the page's content. */
function focusInstead(place: Element | null | undefined): void {
  const buttons = [...(place?.querySelectorAll('button') ?? [])]
  const heir = buttons.findLast((button) => button.getClientRects().length > 0) ?? document.getElementById('main')
  heir?.focus({ preventScroll: true })
}
