import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { setLocale } from '../../../i18n/locale.ts'
import { DEVELOPMENT_WALLET } from '../../session/wallets/catalogue.ts'
import type { WalletDescriptor } from '../../session/wallets/WalletDescriptor.ts'
import { ConnectStep } from './ConnectStep.tsx'

afterEach(async () => {
  cleanup()
  await act(() => setLocale('en'))
})

const wallet: WalletDescriptor = {
  id: 'a-wallet',
  name: 'A Wallet',
  iconBackground: '#ffffff',
  installed: true,
  groupName: 'Installed',
  groupIndex: 0,
}

test('reports a failed connection and offers Retry', () => {
  const start = vi.fn()
  const state = { phase: 'failed', reason: 'other', details: 'The extension did not answer' } as const
  render(<ConnectStep wallet={wallet} connecting={{ state, start, clear: vi.fn() }} compact={false} onGet={vi.fn()} />)
  expect(screen.getByText('A Wallet did not connect')).toBeDefined()
  expect(screen.getByText('The extension did not answer')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(start).toHaveBeenCalledWith(wallet)
})

test('names the development wallet as in the list, in Chinese too', async () => {
  await act(() => setLocale('zh'))
  const own = { ...DEVELOPMENT_WALLET, groupIndex: 0 }
  const connecting = { state: { phase: 'opening' }, start: vi.fn(), clear: vi.fn() } as const
  render(
    <Suspense fallback="…">
      <ConnectStep wallet={own} connecting={connecting} compact={false} onGet={vi.fn()} />
    </Suspense>,
  )
  expect(await screen.findByRole('heading', { name: '正在打开 开发钱包…' })).toBeDefined()
})
