import { cleanup, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { WalletDescriptor } from '../session/wallets/WalletDescriptor.ts'
import { ConnectStep } from './steps/ConnectStep.tsx'
import { WalletList } from './WalletList.tsx'

test('labels an unusable wallet (unsupported) in the list and when selected, and does not try it', () => {
  const old = wallet('Old Wallet', { unsupported: true })
  render(<WalletList groups={[{ name: 'Other', wallets: [old] }]} recent={[]} selected={undefined} onSelect={vi.fn()} />)
  expect(screen.getByRole('button', { name: /^O?Old Wallet \(unsupported\)$/ })).toBeDefined()
  cleanup()
  render(
    <ConnectStep
      wallet={old}
      connecting={{ state: { phase: 'idle' }, start: vi.fn(), clear: vi.fn() }}
      compact={false}
      onGet={vi.fn()}
    />,
  )
  expect(screen.getByRole('heading', { name: 'Old Wallet (unsupported)' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('shows every group with its name and wallets, and marks recent ones', () => {
  const groups = [
    { name: 'Installed', wallets: [wallet('A'), wallet('B')] },
    { name: 'More', wallets: [wallet('C')] },
  ] as const
  render(<WalletList groups={groups} recent={['B']} selected="A" onSelect={vi.fn()} />)
  expect(screen.getByRole('list', { name: 'Installed' }).children).toHaveLength(2)
  expect(screen.getByRole('list', { name: 'More' }).children).toHaveLength(1)
  expect(screen.getByRole('button', { name: /Recent/ }).textContent).toContain('B')
  expect(screen.getByRole('button', { pressed: true }).textContent).toContain('A')
})

function wallet(name: string, more: Partial<WalletDescriptor> = {}): WalletDescriptor {
  return { id: name, name, iconBackground: '#000', groupName: 'Other', groupIndex: 0, ...more }
}
