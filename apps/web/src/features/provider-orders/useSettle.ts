import { contractCall, marketOf } from '@rackfair/sdk'
import { useMessages } from '../../i18n/useMessages.ts'
import { useTransaction } from '../../wallet/index.ts'
import { soldOrderMessages } from './messages.ts'

/** Settles one order, or several in one transaction per Market that keeps them. */
export function useSettle() {
  const text = useMessages(soldOrderMessages)
  const { state, busy, send } = useTransaction()
  const settle = (ids: readonly bigint[]) =>
    send(
      async ({ client, addresses }) => {
        const homes = new Map<`0x${string}`, bigint[]>()
        for (const id of ids) {
          const home = await marketOf(client, addresses.access, id)
          homes.set(home, [...(homes.get(home) ?? []), id])
        }
        return [...homes].map(([home, orders]) =>
          orders.length === 1 && orders[0] !== undefined
            ? contractCall(addresses, 'market', 'proSettle', [orders[0]], home)
            : contractCall(addresses, 'market', 'proSettleMany', [orders], home),
        )
      },
      {
        description: ids.length === 1 ? text.describeSettle(String(ids[0])) : text.describeSettleMany(ids.length),
        success: { title: text.settled },
      },
    )
  return { state, busy, settle }
}
