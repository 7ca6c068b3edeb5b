import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'

const GAP_PX = 6

/** Explains one element on hover and focus. Escape hides it. The text must not be the only place of something needed. */
export function Tooltip({
  text,
  block = false,
  children,
}: {
  text: string
  /** Fills the width. */
  block?: boolean
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const element = bubble.current
    if (!element || !anchor.current || !open) return
    element.showPopover()
    const target = anchor.current.getBoundingClientRect()
    const own = element.getBoundingClientRect()
    const above = target.top - own.height - GAP_PX
    const left = target.left + target.width / 2 - own.width / 2
    element.style.top = `${above > 0 ? above : target.bottom + GAP_PX}px`
    element.style.left = `${Math.max(GAP_PX, Math.min(left, window.innerWidth - own.width - GAP_PX))}px`
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    const hide = () => setOpen(false)
    document.addEventListener('keydown', close)
    document.addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('scroll', hide, { capture: true })
      if (element.isConnected) element.hidePopover()
    }
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches what happens to the element inside
    <span
      ref={anchor}
      className={block ? 'flex w-full' : 'inline-flex'}
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
    >
      {cloneElement(children, { 'aria-describedby': id })}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="manual"
        className="fixed m-0 max-w-note rounded-md border border-line-2 bg-raised px-2.5 py-1.5 text-xs text-ink shadow-pop"
      >
        {text}
      </span>
    </span>
  )
}
