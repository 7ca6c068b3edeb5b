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

/** As the app draws it: nothing above the boundary is drawn anew when the address changes. */
const Page = memo(() => (
  <ErrorBoundary>
    <Screen />
  </ErrorBoundary>
))
function Screen() {
  if (window.location.search === '?broken') throw new Error('this screen is broken')
  return <p>a screen</p>
}

it.each(['/elsewhere', '/broken?well'])('a broken screen stays until %s is opened, and no longer', (to) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  navigate('/broken?broken')
  render(<Page />)
  expect(screen.queryByText('a screen')).toBeNull()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  act(() => navigate(to))
  expect(screen.getByText('a screen')).toBeTruthy()
})
