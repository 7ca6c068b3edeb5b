import { act, cleanup, render, screen } from '@testing-library/react'
import { memo } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { ErrorBoundary } from './ErrorBoundary.tsx'

afterEach(() => {
  cleanup()
  navigate('/')
  vi.restoreAllMocks()
})

/** As the app renders it: nothing above the boundary is rendered again when the URL changes. */
const Page = memo(() => (
  <ErrorBoundary>
    <Screen />
  </ErrorBoundary>
))
function Screen() {
  if (window.location.search === '?broken') throw new Error('this screen is broken')
  return <p>a screen</p>
}

it.each(['/elsewhere', '/broken?well'])('shows a crashed screen until %s is opened', (to) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  navigate('/broken?broken')
  render(<Page />)
  expect(screen.queryByText('a screen')).toBeNull()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  act(() => navigate(to))
  expect(screen.getByText('a screen')).toBeTruthy()
})
