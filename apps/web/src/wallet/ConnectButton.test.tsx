import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configQuery } from '../platform/api/config.ts'
import { type AccountState, setAccountState } from './accountState.ts'
import { ConnectButton, type ConnectButtonProps } from './ConnectButton.tsx'
import { closeDialog, getDialog } from './dialogStore.ts'
import { WalletContext } from './WalletContext.ts'

const ADDRESS = '0xAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaa'
const CONNECTED: AccountState = { status: 'connected', address: ADDRESS, chainId: 2985, supported: true }

beforeEach(() => closeDialog())
afterEach(() => {
  cleanup()
  act(() => setAccountState({ status: 'disconnected', supported: false }))
})

describe('disconnected', () => {
  test('shows Connect Wallet or its label, and opens the connect dialog', () => {
    show({})
    expect(screen.getByRole('button', { name: 'Connect Wallet' })).toBeDefined()
    cleanup()
    show({ label: 'Start here' })
    fireEvent.click(screen.getByRole('button', { name: 'Start here' }))
    expect(getDialog()).toBe('connect')
  })

  test.each([
    ['connecting', 'Connecting…'],
    ['loading', 'Connecting…'],
    ['unauthenticated', 'Sign in'],
  ] as const)('%s: %s', (status, words) => {
    show({}, { ...CONNECTED, status })
    expect(screen.getByRole('button', { name: words })).toBeDefined()
  })
})

describe('connected', () => {
  test('defaults to the address on small screens, and network, balance and address on large ones', () => {
    const { small, large } = show({}, CONNECTED)
    expect(buttons(small)).toEqual(['0xAA…AAaa'])
    expect(buttons(large)).toEqual(['Dev 2985', '$1,204.50xAA…AAaa'])
  })

  test.each([
    ['full', 'full', true, 'Dev 2985', '$1,204.50xAA…AAaa', 1],
    ['address', 'name', false, 'Dev 2985', '0xAA…AAaa', 0],
    ['avatar', 'icon', false, '', '', 1],
  ] as const)(
    'account %s, network %s, balance %s',
    async (accountStatus, chainStatus, showBalance, network, account, pictures) => {
      const { large } = show({ accountStatus, chainStatus, showBalance }, CONNECTED)
      expect(buttons(large)).toEqual([network, account])
      await waitFor(() => expect(large.querySelectorAll('button:last-child svg')).toHaveLength(pictures))
      const icon = large.querySelector('button:first-child img')
      expect(icon?.getAttribute('src')).toBe(chainStatus === 'name' ? undefined : '/chains/development.svg')
    },
  )

  test('accepts one value per screen size', () => {
    const { small, large } = show(
      {
        accountStatus: { small: 'avatar', large: 'address' },
        chainStatus: { small: 'none', large: 'name' },
        showBalance: { small: false, large: false },
      },
      CONNECTED,
    )
    expect([buttons(small), buttons(large)]).toEqual([[''], ['Dev 2985', '0xAA…AAaa']])
  })

  test('opens a dialog from each button', () => {
    const { large } = show({}, CONNECTED)
    const [network, account] = large.querySelectorAll('button')
    act(() => network?.click())
    expect(getDialog()).toBe('chain')
    act(() => account?.click())
    expect(getDialog()).toBe('account')
  })

  test('shows only a wrong network on every screen', () => {
    const { small, large } = show({}, { ...CONNECTED, chainId: 1, supported: false })
    expect([buttons(small), buttons(large)]).toEqual([['Wrong network'], ['Wrong network']])
  })
})

function show(props: ConnectButtonProps, account: AccountState = { status: 'disconnected', supported: false }) {
  act(() => setAccountState(account))
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  client.setQueryData(configQuery.queryKey, { chainId: 2985, chainName: 'Dev', mainnetRpcUrl: null } as never)
  client.setQueryData(['balance', ADDRESS], { creditWei: 1_204_500_000_000_000_000_000n, nativeWei: 0n })
  const { container } = render(
    <QueryClientProvider client={client}>
      <WalletContext value={true}>
        <ConnectButton {...props} />
      </WalletContext>
    </QueryClientProvider>,
  )
  const [small, large] = ['.lg\\:hidden', '.max-lg\\:hidden'].map((name) => container.querySelector(name) ?? container)
  return { small: small as Element, large: large as Element }
}

function buttons(within: Element): string[] {
  return Array.from(within.querySelectorAll('button'), (button) => button.textContent)
}
