import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadScreen } from './app/Routes.tsx'
import { followPlaces } from './app/scrollPlaces.ts'
import { loadChinese } from './i18n/defineMessages.ts'
import { getLocale, tellPlatform } from './i18n/locale.ts'
import { queryClient } from './platform/api/queryClient.ts'
import { readSeed, sow } from './prerender/seed.ts'
import './styles/main.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')

const app = (
  <StrictMode>
    <App client={queryClient} />
  </StrictMode>
)

followPlaces()
// What a link leads to begins to load when a pointer or the focus comes to it.
for (const sign of ['pointerover', 'focusin'] as const)
  window.addEventListener(sign, ({ target }) => {
    const link =
      target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]:not([target], [href^="/docs/"])') : null
    if (link) void loadScreen(link.pathname)
  })

const seed = readSeed()
// Hydrate only if the rendered page is exactly this one: same path, no query string, same language.
const isDrawn = seed !== undefined && seed.locale === getLocale() && window.location.search === ''
if (seed && seed.locale !== getLocale()) tellPlatform()
const texts = isDrawn && seed.locale === 'zh' ? loadChinese().catch(() => {}) : undefined

// The rendered page stays until the app can replace it atomically; a transition lets clicks through in the meantime.
void Promise.all([loadScreen(window.location.pathname), texts]).then(() => {
  if (isDrawn) sow(queryClient, seed)
  startTransition(() => {
    if (isDrawn) hydrateRoot(root, app)
    else createRoot(root).render(app)
  })
})
