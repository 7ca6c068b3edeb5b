import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadScreen } from './app/Routes.tsx'
import './styles/main.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')

// What was drawn ahead (src/prerender.tsx) stays until the screen can take its place in one piece.
void loadScreen(window.location.pathname).then(() => {
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
  delete root.dataset.ahead
})
