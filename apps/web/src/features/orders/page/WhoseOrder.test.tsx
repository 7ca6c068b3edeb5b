import { readOrder } from '@rackfair/protocol/orders'
import { orderAnswer } from '@rackfair/testkit/fixtures'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { getAddress } from 'viem'
import { afterEach, expect, it } from 'vitest'
import { ownPurseQuery } from '../../../entities/purse/queries.ts'
import { setAccountState } from '../../../wallet/accountState.ts'
import { WalletContext } from '../../../wallet/WalletContext.ts'
import { WhoseOrder } from './WhoseOrder.tsx'

const ACCOUNT = `0x${'a1'.repeat(20)}` as const
const PURSE = `0x${'a2'.repeat(20)}` as const
const OTHER = `0x${'a3'.repeat(20)}` as const

afterEach(() => {
  cleanup()
  setAccountState({ status: 'disconnected', supported: false })
})

it.each([
  ['says nothing to its buyer', ACCOUNT, /^$/],
  ['names the own purse', PURSE, /^This order is of your purse/],
  ['says that it is somebody else’s', OTHER, /^This order belongs to somebody else/],
])('%s', (_, user, shown) => {
  setAccountState({ status: 'connected', supported: true, address: getAddress(ACCOUNT), lowerCase: ACCOUNT as never })
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false, staleTime: Number.POSITIVE_INFINITY } } })
  const own = { address: getAddress(PURSE), factory: OTHER, view: undefined }
  client.setQueryData(ownPurseQuery(undefined, getAddress(ACCOUNT)).queryKey, own)
  const { container } = render(
    <QueryClientProvider client={client}>
      <WalletContext value={true}>
        <WhoseOrder order={readOrder(orderAnswer({ user }))} />
      </WalletContext>
    </QueryClientProvider>,
  )
  expect(container.textContent).toMatch(shown)
})
