/** Where a control of the page drawn ahead stood, and what it was called. */
interface Place {
  /** Which child at each step from `#app` on. */
  path: readonly number[]
  tag: string
  label: string
}

/** What `public/boot.js` has kept. */
interface Kept {
  click?: Place
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

/** Before the app's first page is painted: a menu that was opened on the page drawn ahead stays open. */
export function stayOpen(): void {
  const id = window.rackfairKept?.open
  if (id) document.getElementById(id)?.showPopover()
}

/** The app has taken the place of the page drawn ahead: what somebody typed, chose or pressed there happens here, once. */
export function takeOver(root: HTMLElement): void {
  const kept = window.rackfairKept
  delete window.rackfairKept
  if (!kept) return
  for (const place of kept.typed) type(find(root, place), place.value)
  if (kept.focus) find(root, kept.focus)?.focus({ preventScroll: true })
  const pressed = kept.press && find(root, kept.press)
  if (pressed) whenLetGo(pressed)
  const clicked = kept.click && find(root, kept.click)
  // In a task of its own: what was typed is drawn before the button reads it.
  if (clicked) setTimeout(() => clicked.click())
}

/** The control at the same place or, where the page has changed around it, the only one with its name. */
function find(root: HTMLElement, { path, tag, label }: Place): HTMLElement | undefined {
  const there = path.reduce<Element | undefined>((element, index) => element?.children[index], root)
  if (there instanceof HTMLElement && there.tagName === tag && (tag === 'INPUT' || isSubmit(there) || labelOf(there) === label))
    return there
  const named = [...root.querySelectorAll<HTMLElement>(tag)].filter((control) => labelOf(control) === label)
  return named.length === 1 ? named[0] : undefined
}

const labelOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent
/** Its words may be the answer to what was typed. */
const isSubmit = (control: HTMLElement) => control instanceof HTMLButtonElement && control.type === 'submit'

function type(field: HTMLElement | undefined, value: string): void {
  if (!(field instanceof HTMLInputElement)) return
  // React hears of a value only when it was set behind its back.
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
