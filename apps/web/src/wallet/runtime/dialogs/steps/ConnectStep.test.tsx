import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { WalletDescriptor } from '../../wallets/WalletDescriptor.ts'
import { ConnectStep } from './ConnectStep.tsx'

afterEach(cleanup)

const wallet: WalletDescriptor = {
  id: 'a-wallet',
  name: 'A Wallet',
  iconBackground: '#ffffff',
  installed: true,
  groupName: 'Installed',
  groupIndex: 0,
}

test('a connection that failed says so and offers Retry', () => {
  const start = vi.fn()
  const state = { phase: 'failed', rejected: false, details: 'The extension did not answer' } as const
  render(<ConnectStep wallet={wallet} connecting={{ state, start, clear: vi.fn() }} compact={false} onGet={vi.fn()} />)
  expect(screen.getByText('A Wallet did not connect')).toBeDefined()
  expect(screen.getByText('The extension did not answer')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(start).toHaveBeenCalledWith(wallet)
})
