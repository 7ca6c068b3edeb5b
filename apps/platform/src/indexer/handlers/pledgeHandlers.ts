import type { Handlers } from './Handlers.ts'

export const pledgeHandlers: Handlers = {
  Pledged: (fold, { args }) => fold.put('pledge', { account: args.account.toLowerCase(), amount: String(args.balance) }),
  Unpledged: (fold, { args }) => fold.put('pledge', { account: args.account.toLowerCase(), amount: String(args.balance) }),
  Compensated: (fold, { args }) => fold.put('pledge', { account: args.account.toLowerCase(), amount: String(args.balance) }),
}
