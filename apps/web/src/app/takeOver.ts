import { useEffect, useLayoutEffect } from 'react'

/** Where a control of the prerendered page stood, and what it was called. */
interface Place {
  /** Which child at each step from `#app` on. */
  path: readonly number[]
  tag: string
  label: string
  control: Element
}

/** What `public/boot.js` has kept. */
interface Kept {
  /** What told first of a person. */
  sign?: string
  onSign?: () => void
  /** With the point of the control that was pressed. */
  click?: Place & { x: number; y: number }
  /** Pressed and not yet let go. */
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

/** Somebody pressed or typed something before the app was there, and is not to be asked for anything else on this page. */
export const busyPath =
  typeof window !== 'undefined' && /pointerdown|keydown|focusin|input|click/.test(window.rackfairKept?.sign ?? '')
    ? window.location.pathname
    : undefined

/** For the first screen: once it answers, what somebody did on the prerendered page happens. */
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

/** Before the app's first page is painted: a menu that was opened on the prerendered page stays open. */
function stayOpen(): void {
  const menu = document.getElementById(window.rackfairKept?.open ?? '')
  if (menu && !menu.matches(':popover-open')) menu.showPopover()
}

/** What somebody typed, chose or pressed on the prerendered page happens here, once. */
function takeOver(root: HTMLElement): void {
  const kept = window.rackfairKept
  delete window.rackfairKept
  if (!kept) return
  for (const place of kept.typed) type(find(root, place), place.value)
  const focus = kept.focus && find(root, kept.focus)
  if (focus !== document.activeElement) focus?.focus({ preventScroll: true })
  // One that the app has taken over as it stood is clicked by the browser.
  const pressed = kept.press && !kept.press.control.isConnected && find(root, kept.press)
  if (pressed) whenLetGo(pressed)
  const clicked = kept.click && find(root, kept.click)
  // In a task of its own: what was typed is drawn before the button reads it.
  if (clicked && kept.click) setTimeout(click, 0, clicked, kept.click)
}

function click(control: HTMLElement, { x, y }: { x: number; y: number }): void {
  delete control.dataset.kept
  const { left, top } = control.getBoundingClientRect()
  const at = { clientX: left + x, clientY: top + y }
  control.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, detail: 1, ...at }))
}

/** The control itself or, where the page was drawn anew, the one at the same place or the only one with its name. */
function find(root: HTMLElement, { path, tag, label, control }: Place): HTMLElement | undefined {
  if (control.isConnected) return control as HTMLElement
  const there = path.reduce<Element | undefined>((element, index) => element?.children[index], root)
  if (there instanceof HTMLElement && there.tagName === tag && (tag === 'INPUT' || isSubmit(there) || labelOf(there) === label))
    return there
  const named = [...root.querySelectorAll<HTMLElement>(tag)].filter((element) => labelOf(element) === label)
  return named.length === 1 ? named[0] : undefined
}

const labelOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent
/** Its words may be the answer to what was typed. */
const isSubmit = (control: HTMLElement) => control instanceof HTMLButtonElement && control.type === 'submit'

function type(field: HTMLElement | undefined, value: string): void {
  if (field instanceof HTMLSelectElement) {
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  if (!(field instanceof HTMLInputElement)) return
  // React hears of a value only when it was set behind its back, and differs from the one it knows.
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** A mouse that goes down on one element and up on another clicks neither. A finger's click goes where it lifts. */
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
