import type { PledgeHistoryAnswer } from '@rackfair/protocol/pledge'
import { interestEarnedWei } from '@rackfair/rules/provider/interest'
import { dayOf } from '../dayOf.ts'
import type { ChainEvent } from '../decodeLog.ts'
import type { Fold } from '../Fold.ts'
import type { Handlers } from './Handlers.ts'

export const pledgeHandlers: Handlers = {
  Pledged: (fold, event) => keepMove(fold, event, 'pledged', event.args.amount, { pledged: event.args.balance }),
  Unpledged: (fold, event) => keepMove(fold, event, 'unpledged', event.args.amount, { pledged: event.args.balance }),
  Compensated: (fold, event) => keepMove(fold, event, 'compensated', event.args.taken, { pledged: event.args.balance }),
  Locked: (fold, event) => keepMove(fold, event, 'locked', event.args.amount, { locked: event.args.locked }),
  Unlocked: (fold, event) => keepMove(fold, event, 'unlocked', event.args.amount, { locked: event.args.locked }),
  InterestWithdrawn: (fold, event) => keepMove(fold, event, 'interest', event.args.amount),

  InterestAccrued(fold, { address, args, time }) {
    const interestIndex = String(args.index)
    fold.put('pledgeContract', { address, interestIndex })
    fold.put('interestDay', { contract: address, day: dayOf(time), time, interestIndex })
  },
}

type PledgeEvent = ChainEvent<'Pledged' | 'Unpledged' | 'Locked' | 'Unlocked' | 'Compensated' | 'InterestWithdrawn'>

/** Books the account's interest up to the index, as the contract does before every change, and stores the resulting state. */
function keepMove(
  fold: Fold,
  event: PledgeEvent,
  kind: PledgeHistoryAnswer['moves'][number]['kind'],
  amount: bigint,
  now: { pledged?: bigint; locked?: bigint } = {},
): void {
  const { address: contract, block, logIndex, time, transactionHash } = event
  const { account } = event.args
  const interestIndex = fold.find('pledgeContract', contract)?.interestIndex ?? '0'
  const before = fold.find('pledgeAccount', `${contract}|${account}`)
  const locked = BigInt(before?.locked ?? '0')
  const withdrawn = BigInt(before?.withdrawn ?? '0')
  const grown = interestEarnedWei(locked, BigInt(before?.interestIndex ?? interestIndex), BigInt(interestIndex))
  const after = {
    contract,
    account,
    pledged: String(now.pledged ?? before?.pledged ?? '0'),
    locked: String(now.locked ?? locked),
    interestIndex,
    earned: String(BigInt(before?.earned ?? '0') + grown),
    withdrawn: String(kind === 'interest' ? withdrawn + amount : withdrawn),
  }
  fold.put('pledgeAccount', after)
  if (kind !== 'interest') fold.put('pledge', { account, amount: after.pledged, locked: after.locked })
  fold.put('pledgeMove', { ...after, block, logIndex, time, kind, amount: String(amount), transactionHash })
}
