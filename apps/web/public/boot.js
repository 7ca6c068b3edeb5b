// Runs before the first paint: the chosen theme and language, and a second try for a page whose style or program did not arrive.
try {
  const theme = localStorage.getItem('rackfair.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('rackfair.locale') === 'zh') document.documentElement.lang = 'zh'
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
