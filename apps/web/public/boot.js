// Runs before the first paint: the chosen theme and language, and a second try for a page whose style or program did not arrive.
try {
  const theme = localStorage.getItem('rackfair.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  const locale = localStorage.getItem('rackfair.locale') === 'zh' ? 'zh' : 'en'
  document.documentElement.lang = locale
} catch {}

// Browsers give up what they are loading when the machine's networks change. Nothing has been typed yet, so nothing is lost.
addEventListener(
  'error',
  ({ target }) => {
    const needed = target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
    if (!needed || document.readyState === 'complete') return
    const triedAt = Number(sessionStorage.getItem('rackfair.reloaded'))
    if (Date.now() - triedAt < 30_000) return
    sessionStorage.setItem('rackfair.reloaded', String(Date.now()))
    location.reload()
  },
  true,
)

// What somebody does on the page that was drawn ahead, before the program is there to answer, is kept for it (src/app/takeOver.ts).
const kept = { typed: [] }
window.rackfairKept = kept
const AHEAD = '#app[data-ahead] :is(button, input)'
const placeOf = ({ target }) => {
  const control = target instanceof Element ? target.closest(AHEAD) : null
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
  // The browser itself answers these, and opens the menu.
  if (place.tag === 'INPUT' || place.control.popoverTargetElement) return
  event.preventDefault()
  event.stopPropagation()
  kept.click = place
  place.control.dataset.kept = ''
})
addEventListener(
  'beforetoggle',
  ({ target, newState }) => {
    if (target.closest('#app[data-ahead]')) kept.open = newState === 'open' ? target.id : undefined
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
for (const type of ['pointerup', 'pointercancel'])
  addEventListener(
    type,
    () => {
      delete kept.press
    },
    true,
  )
