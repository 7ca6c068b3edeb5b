import { readOrder } from '@rackfair/protocol/orders'
import { DAY_SECONDS, HOUR_SECONDS } from '@rackfair/rules/duration'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { orderAnswer } from '@rackfair/testkit/fixtures'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { getAddress } from 'viem'
import { afterEach, expect, it } from 'vitest'
import { userOrdersQuery } from '../../entities/order/queries.ts'
import { ownPurseQuery, purseOrdersQuery } from '../../entities/purse/queries.ts'
import { setAccountState } from '../../wallet/accountState.ts'
import { WalletContext } from '../../wallet/WalletContext.ts'
import { RenewalNotice } from './RenewalNotice.tsx'

const NOW = Math.floor(Date.now() / 1000)
const ACCOUNT = `0x${'a1'.repeat(20)}` as const
const PURSE = `0x${'a2'.repeat(20)}` as const
const OTHER = `0x${'a3'.repeat(20)}` as const

afterEach(() => {
  cleanup()
  setAccountState({ status: 'disconnected', supported: false })
})

it.each([
  ['warns before the renewal of an order of the own purse runs out', PURSE, 2.5, 100, /^Its renewal runs out: it ends /],
  ['warns where the purse cannot pay for longer', PURSE, 30, 2, /^Its renewal runs out: it ends /],
  ['is silent while an order of the own purse is renewed', PURSE, 30, 100, /^$/],
  ['has the usual warning where the purse renews nothing', PURSE, 0, 100, /^ends soon$/],
  ['has it for an order of the account itself', ACCOUNT, 2.5, 100, /^ends soon$/],
  ['has it for an order of somebody else', OTHER, 2.5, 100, /^ends soon$/],
])('%s', (_, user, keptDays, creditUsd, shown) => {
  setAccountState({ status: 'connected', supported: true, address: getAddress(ACCOUNT), lowerCase: ACCOUNT as never })
  const answer = orderAnswer({ user, activateTime: NOW - HOUR_SECONDS, duration: 2 * HOUR_SECONDS })
  const standing = { maxMonthWei: 30n * ONE_CREDIT_WEI, maxTipWei: 0n, until: NOW + keptDays * DAY_SECONDS, stepHours: 24 }
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false, staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(userOrdersQuery(ACCOUNT).queryKey, [answer])
  client.setQueryData(ownPurseQuery(undefined, getAddress(ACCOUNT)).queryKey, {
    ...{ address: getAddress(PURSE), factory: OTHER, view: { creditWei: BigInt(creditUsd) * ONE_CREDIT_WEI, keys: [] } },
  } as never)
  client.setQueryData(
    purseOrdersQuery(undefined, getAddress(PURSE), ['12']).queryKey,
    new Map([['12', { grantId: undefined, standing: keptDays > 0 ? standing : undefined }]]),
  )
  const { container } = render(
    <QueryClientProvider client={client}>
      <WalletContext value={true}>
        <RenewalNotice order={readOrder(answer)} now={NOW}>
          ends soon
        </RenewalNotice>
      </WalletContext>
    </QueryClientProvider>,
  )
  expect(container.querySelector('p')?.textContent ?? container.textContent).toMatch(shown)
})
