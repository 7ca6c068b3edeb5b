import { orderMoney } from '@rackfair/rules/order/money'
import type { PurseKey, PurseView } from '@rackfair/sdk'
import { useState } from 'react'
import type { Address } from 'viem'
import { usePurseOrders } from '../../entities/purse/usePurseOrders.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeyTable } from './KeyTable.tsx'
import { NewKey } from './NewKey.tsx'
import { PurseBand } from './PurseBand.tsx'
import { PurseOrders } from './PurseOrders.tsx'

/** A purse: what it holds, who may spend it, and what runs on it. The form stands beside the list, which stays readable. */
export function Purse({ address, view }: { address: Address; view: PurseView }) {
  const now = useNow(10_000)
  const [form, setForm] = useState<PurseKey | 'new'>()
  const [made, setMade] = useState<{ name: string; privateKey: string }>()
  const { orders, own, known, kept, ratePerMonthWei } = usePurseOrders(address)
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
          <PurseOrders purse={address} keys={view.keys} orders={orders} own={own} known={known} holds={holds} />
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
