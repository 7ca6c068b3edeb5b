import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import './styles/main.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no element #app')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
