import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { useAccountState, useCanBatch, useMarket, useOpenChain, useOpenConnect, useSignText, useTransaction } from './index.ts'
import { WalletContext } from './WalletContext.ts'

describe.each([
  ['useAccountState', useAccountState],
  ['useOpenConnect', useOpenConnect],
  ['useOpenChain', useOpenChain],
  ['useSignText', useSignText],
  ['useTransaction', useTransaction],
  ['useCanBatch', useCanBatch],
  ['useMarket', useMarket],
])('%s', (name, hook) => {
  it('throws outside its provider', () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(() => renderHook(() => hook())).toThrow(`${name} must be used within WalletProvider`)
    quiet.mockRestore()
  })

  it('works inside its provider', () => {
    const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>
        <WalletContext value={true}>{children}</WalletContext>
      </QueryClientProvider>
    )
    expect(renderHook(() => hook(), { wrapper }).result.current).toBeDefined()
  })
})
