import { interestEarnedWei } from '@rackfair/core'
import { dayOf } from '../dayOf.ts'
import type { ChainEvent } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'
import type { Handlers } from './Handlers.ts'

export const pledgeHandlers: Handlers = {
  Pledged: (fold, event) => changePledge(fold, event, 'pledged', event.args.amount),
  Unpledged: (fold, event) => changePledge(fold, event, 'unpledged', event.args.amount),
  Compensated: (fold, event) => changePledge(fold, event, 'compensated', event.args.taken),
  InterestWithdrawn: (fold, event) => keepMove(fold, event, 'interest', event.args.amount),

  InterestAccrued(fold, { address, args, time }) {
    const interestIndex = String(args.index)
    fold.put('pledgeContract', { address, interestIndex })
    fold.put('interestDay', { contract: address, day: dayOf(time), time, interestIndex })
  },
}

type PledgeEvent = ChainEvent<'Pledged' | 'Unpledged' | 'Compensated' | 'InterestWithdrawn'>

function changePledge(
  fold: Fold,
  event: ChainEvent<'Pledged' | 'Unpledged' | 'Compensated'>,
  kind: string,
  amount: bigint,
): void {
  fold.put('pledge', { account: event.args.account.toLowerCase(), amount: String(event.args.balance) })
  keepMove(fold, event, kind, amount, event.args.balance)
}

/** Books the account's interest up to the index, as the contract does before every change, and keeps what it has after it. */
function keepMove(fold: Fold, event: PledgeEvent, kind: string, amount: bigint, balance?: bigint): void {
  const { address: contract, block, logIndex, time, transactionHash } = event
  const account = event.args.account.toLowerCase()
  const interestIndex = fold.find('pledgeContract', contract)?.interestIndex ?? '0'
  const before = fold.find('pledgeAccount', `${contract}|${account}`)
  const [pledged, earned, withdrawn] = [before?.pledged, before?.earned, before?.withdrawn].map((wei) => BigInt(wei ?? '0')) as [
    bigint,
    bigint,
    bigint,
  ]
  const grown = interestEarnedWei(pledged, BigInt(before?.interestIndex ?? interestIndex), BigInt(interestIndex))
  const after = {
    contract,
    account,
    pledged: String(balance ?? pledged),
    interestIndex,
    earned: String(earned + grown),
    withdrawn: String(kind === 'interest' ? withdrawn + amount : withdrawn),
  }
  fold.put('pledgeAccount', after)
  fold.put('pledgeMove', { ...after, block, logIndex, time, kind, amount: String(amount), transactionHash })
}
