import { type ReactNode, StrictMode, startTransition, useEffect, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadScreen } from './app/Routes.tsx'
import { followPlaces } from './app/scrollPlaces.ts'
import { stayOpen, takeOver } from './app/takeOver.ts'
import './styles/main.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')

/** What was drawn ahead (src/prerender.tsx) has been replaced: Chinese may be shown, and what somebody did there happens. */
function Drawn({ children }: { children: ReactNode }) {
  useLayoutEffect(() => {
    delete root?.dataset.ahead
    stayOpen()
  }, [])
  useEffect(() => {
    if (root) takeOver(root)
  }, [])
  return children
}

followPlaces()

// The page that was drawn ahead stays until the app can take its place in one piece; a transition leaves room for a click in between.
void loadScreen(window.location.pathname).then(() =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Drawn>
          <App />
        </Drawn>
      </StrictMode>,
    ),
  ),
)
