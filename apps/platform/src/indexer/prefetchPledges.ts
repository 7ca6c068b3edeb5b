import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Session } from '../store/openStore.ts'
import { dayOf } from './dayOf.ts'
import type { ChainEvent } from './decodeLog.ts'
import type { Fold } from './Fold.ts'

/** Loads the rows that the events of Pledge contracts may read: the index, its day, and the accounts. */
export async function prefetchPledges(session: Session, fold: Fold, events: readonly ChainEvent[]): Promise<void> {
  const own = events.filter((event) => event.kind === 'pledge')
  const accounts = own.flatMap(({ address, args }) => {
    const { account } = args as { account?: LowerCaseAddress }
    return account === undefined ? [] : [`${address}|${account}`]
  })
  await fold.load(
    session,
    'pledgeContract',
    own.map((event) => event.address),
  )
  await fold.load(session, 'pledgeAccount', accounts)
  await fold.load(
    session,
    'interestDay',
    own.filter((event) => event.name === 'InterestAccrued').map(({ address, time }) => `${address}|${dayOf(time)}`),
  )
}
