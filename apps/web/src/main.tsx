import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadScreen } from './app/Routes.tsx'
import { followPlaces } from './app/scrollPlaces.ts'
import { loadChinese } from './i18n/defineMessages.ts'
import { getLocale, tellPlatform } from './i18n/locale.ts'
import { queryClient } from './lib/queryClient.ts'
import { readSeed, sow } from './lib/seed.ts'
import './styles/main.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')

const app = (
  <StrictMode>
    <App client={queryClient} />
  </StrictMode>
)

followPlaces()

const seed = readSeed()
// What was drawn is this very page: of this address, which asks for nothing particular, and in this language.
const isDrawn = seed !== undefined && seed.locale === getLocale() && window.location.search === ''
if (seed && seed.locale !== getLocale()) tellPlatform()
const texts = isDrawn && seed.locale === 'zh' ? loadChinese().catch(() => {}) : undefined

// What was drawn stays until the app can take its place in one piece; a transition leaves room for a click in between.
void Promise.all([loadScreen(window.location.pathname), texts]).then(() => {
  if (isDrawn) sow(queryClient, seed)
  startTransition(() => {
    if (isDrawn) hydrateRoot(root, app)
    else createRoot(root).render(app)
  })
})
