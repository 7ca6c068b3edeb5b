import { lowerCaseAddress } from '@rackfair/rules/address'
import { orderMoney } from '@rackfair/rules/order/money'
import { isTerminal } from '@rackfair/rules/order/status'
import type { PurseKey, PurseView } from '@rackfair/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { userOrdersQuery } from '../../entities/order/queries.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useAccountState, useMarket } from '../../wallet/index.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeyTable } from './KeyTable.tsx'
import { NewKey } from './NewKey.tsx'
import { PurseBand } from './PurseBand.tsx'
import { PurseOrders } from './PurseOrders.tsx'
import { purseOrdersQuery } from './purseQueries.ts'

/** Orders whose buyer and renewal are read from the chain. */
const MAX_ORDERS = 100

/** A purse: what it holds, who may spend it, and what runs on it. The form stands beside the list, which stays readable. */
export function Purse({ address, view }: { address: Address; view: PurseView }) {
  const now = useNow(10_000)
  const user = useAccountState().lowerCase ?? ''
  const marketState = useMarket()
  const market = marketState.status === 'ready' ? marketState.market : undefined
  const [form, setForm] = useState<PurseKey | 'new'>()
  const [made, setMade] = useState<{ name: string; privateKey: string }>()
  const orders = useQuery(userOrdersQuery(user))
  const own = orders.data
    ?.filter((order) => order.user === lowerCaseAddress(address) && !isTerminal(order.status))
    .slice(0, MAX_ORDERS)
  const known = useQuery(purseOrdersQuery(own && market, address, own?.map(({ id }) => id) ?? []))
  const kept = own?.filter(({ id }) => (known.data?.get(id)?.standing?.until ?? 0) > now) ?? []
  const ratePerMonthWei = kept.reduce((sum, order) => sum + order.ratePerMonthWei, 0n)
  const holds = { creditWei: view.creditWei, ratePerMonthWei }
  return (
    <>
      <PurseBand
        address={address}
        holdsWei={view.creditWei}
        inOrdersWei={own?.reduce((sum, order) => sum + orderMoney(order, now).backWei, 0n)}
        keptRatesWei={kept.map(({ ratePerMonthWei }) => ratePerMonthWei)}
      />
      {made && <NewKey {...made} purse={address} onStored={() => setMade(undefined)} />}
      <div className={form === undefined ? '' : 'cols-pay'}>
        <div className="flex min-w-0 flex-col gap-8">
          <KeyTable
            purse={address}
            keys={view.keys}
            onNew={form === undefined ? () => setForm('new') : undefined}
            onChange={setForm}
          />
          <PurseOrders purse={address} keys={view.keys} orders={orders} own={own} known={known.data} holds={holds} />
        </div>
        {form !== undefined && (
          <KeyForm
            key={form === 'new' ? 'new' : form.key}
            purse={address}
            changed={form === 'new' ? undefined : form}
            onClose={() => setForm(undefined)}
            onMade={(name, privateKey) => {
              setForm(undefined)
              if (privateKey !== undefined) setMade({ name, privateKey })
            }}
          />
        )}
      </div>
    </>
  )
}
