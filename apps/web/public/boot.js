// Before the first paint: theme, language, and another try for what failed to load.
const html = document.documentElement
let wanted = navigator.languages
try {
  const theme = localStorage.getItem('rackfair.theme')
  if (theme === 'light' || theme === 'dark') html.dataset.theme = theme
  wanted = [localStorage.getItem('rackfair.locale'), ...wanted]
} catch {}
html.lang = /^zh/i.test(wanted.find((tag) => /^(en|zh)\b/i.test(tag))) ? 'zh' : 'en'

// Browsers abort loads when networks change. Nothing has been typed yet.
addEventListener(
  'error',
  ({ target }) => {
    const needed = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
    if (!needed || document.readyState === 'complete') return
    if (Date.now() - Number(sessionStorage.getItem('rackfair.reloaded')) < 30_000) return
    sessionStorage.setItem('rackfair.reloaded', String(Date.now()))
    location.reload()
  },
  true,
)

// Records interactions with the prerendered page until the app can replay them (takeOver.ts).
const kept = { typed: [] }
window.rackfairKept = kept
// The first interaction loads the app (early); a pointer beside a control is none.
const SIGNS = ['pointerover', 'pointerdown', 'keydown', 'focusin', 'input', 'click', 'scroll']
const ANSWERS = 'a, label, button, input, select, summary, [role=slider]'
const within = (target, selector) => (target instanceof Element ? target.closest(selector) : null)
for (const sign of SIGNS)
  addEventListener(
    sign,
    ({ target }) => {
      if (kept.sign || (sign === 'pointerover' && !within(target, ANSWERS))) return
      kept.sign = sign
      kept.onSign?.()
    },
    { capture: true, passive: true },
  )
const placeOf = ({ target }) => {
  const control = within(target, '#app[data-ahead] :is(button, input, select, [role=slider], a[href^="/addorder"])')
  if (!control) return undefined
  const path = []
  for (let at = control; at.id !== 'app'; at = at.parentElement) path.unshift([...at.parentElement.children].indexOf(at))
  return { path, tag: control.tagName, label: control.getAttribute('aria-label') ?? control.textContent, control }
}
const keep = (type, note) =>
  addEventListener(
    type,
    (event) => {
      const place = placeOf(event)
      if (place) note(place, event)
    },
    true,
  )
keep('focusin', (place) => {
  kept.focus = place
})
keep('input', (place) => {
  kept.typed = [...kept.typed.filter((other) => other.control !== place.control), { ...place, value: place.control.value }]
})
keep('click', (place, event) => {
  const { control } = place
  // The browser handles these itself, and opens the menu.
  if (place.tag === 'SELECT' || control.popoverTargetElement) return
  if (place.tag === 'INPUT' && !/checkbox|radio/.test(control.type)) return
  // The app is faster than a navigation. New tabs are left to the browser.
  if (place.tag === 'A' && (event.ctrlKey || event.metaKey || event.shiftKey)) return
  event.preventDefault()
  event.stopPropagation()
  const { left, top } = control.getBoundingClientRect()
  kept.click = { ...place, x: event.clientX - left, y: event.clientY - top }
  // A dialog prerendered with the page opens without the app, which learns about it from the recorded click.
  const dialog = document.getElementById(control.dataset.opens)
  if (dialog) dialog.showModal()
  else if ('closes' in control.dataset) control.closest('dialog').close()
  else control.dataset.kept = control.ariaBusy = true
})
// Closed again: not asked for.
addEventListener('close', () => delete kept.click, true)
addEventListener(
  'beforetoggle',
  ({ target, newState }) => {
    if (target.popover && target.closest('#app[data-ahead]')) kept.open = newState === 'open' ? target.id : undefined
  },
  true,
)
addEventListener(
  'pointerdown',
  (event) => {
    kept.press = placeOf(event)
    kept.focus = kept.press
  },
  true,
)
for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => delete kept.press, true)
