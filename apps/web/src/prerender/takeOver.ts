import { useEffect, useLayoutEffect } from 'react'

/** Position and name of a control on the prerendered page. */
interface Place {
  /** Child indices from `#app` down. */
  path: readonly number[]
  tag: string
  label: string
  control: Element
}

/** The interactions that `public/boot.js` has recorded. */
interface Kept {
  /** The type of the first interaction. */
  sign?: string
  onSign?: () => void
  /** The pressed control, with the pointer position. */
  click?: Place & { x: number; y: number }
  /** Pressed and not yet released. */
  press?: Place
  focus?: Place
  /** The id of the popover that is open. */
  open?: string | undefined
  typed: readonly (Place & { value: string })[]
}

declare global {
  interface Window {
    rackfairKept?: Kept
  }
}

/** True if the user pressed or typed something before the app was loaded, and must not be prompted for anything else on this page. */
export const busyPath =
  typeof window !== 'undefined' && /pointerdown|keydown|focusin|input|click/.test(window.rackfairKept?.sign ?? '')
    ? window.location.pathname
    : undefined

/** For the first screen: once it is interactive, replays the interactions with the prerendered page. */
export function useTakeOver(): void {
  useLayoutEffect(() => {
    const root = document.getElementById('app')
    if (root?.dataset.ahead === undefined) return
    delete root.dataset.ahead
    stayOpen()
  }, [])
  useEffect(() => {
    const root = document.getElementById('app')
    if (root) takeOver(root)
  }, [])
}

/** Runs before the app's first paint: keeps a menu open that was opened on the prerendered page. */
function stayOpen(): void {
  const menu = document.getElementById(window.rackfairKept?.open ?? '')
  if (menu && !menu.matches(':popover-open')) menu.showPopover()
}

/** Replays, once, what the user typed, chose or pressed on the prerendered page. */
function takeOver(root: HTMLElement): void {
  const kept = window.rackfairKept
  delete window.rackfairKept
  if (!kept) return
  for (const place of kept.typed) type(find(root, place), place.value)
  const focus = kept.focus && find(root, kept.focus)
  if (focus !== document.activeElement) focus?.focus({ preventScroll: true })
  // A control that the app hydrated in place is clicked by the browser.
  const pressed = kept.press && !kept.press.control.isConnected && find(root, kept.press)
  if (pressed) whenLetGo(pressed)
  const clicked = kept.click && find(root, kept.click)
  // In a separate task, so that typed text is rendered before the button reads it.
  if (clicked && kept.click) setTimeout(click, 0, clicked, kept.click)
}

function click(control: HTMLElement, { x, y }: { x: number; y: number }): void {
  delete control.dataset.kept
  control.ariaBusy = null
  const { left, top } = control.getBoundingClientRect()
  const at = { clientX: left + x, clientY: top + y }
  control.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, detail: 1, ...at }))
}

/** The control itself or, if the page was rendered anew, the one at the same position or the only one with its name. */
function find(root: HTMLElement, { path, tag, label, control }: Place): HTMLElement | undefined {
  if (control.isConnected) return control as HTMLElement
  const there = path.reduce<Element | undefined>((element, index) => element?.children[index], root)
  if (there instanceof HTMLElement && there.tagName === tag && (tag === 'INPUT' || isSubmit(there) || labelOf(there) === label))
    return there
  const named = [...root.querySelectorAll<HTMLElement>(tag)].filter((element) => labelOf(element) === label)
  return named.length === 1 ? named[0] : undefined
}

const labelOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent
/** Its label may have changed in response to what was typed. */
const isSubmit = (control: HTMLElement) => control instanceof HTMLButtonElement && control.type === 'submit'

function type(field: HTMLElement | undefined, value: string): void {
  if (field instanceof HTMLSelectElement) {
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  if (!(field instanceof HTMLInputElement)) return
  // React only notices a value set through the native setter that differs from the one it tracks.
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** A mouse pressed on one element and released on another clicks neither. A touch clicks where it is lifted. */
function whenLetGo(pressed: HTMLElement): void {
  const done = new AbortController()
  const { signal } = done
  window.addEventListener('click', () => done.abort(), { capture: true, signal })
  window.addEventListener(
    'mouseup',
    ({ target }) =>
      setTimeout(() => {
        if (!signal.aborted && pressed.contains(target as Node)) pressed.click()
        done.abort()
      }),
    { capture: true, once: true, signal },
  )
}
