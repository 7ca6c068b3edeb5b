export const money = {
  toWithdraw: 'To withdraw',
  before: 'Of it in earlier markets',
  separately: (markets: string) => `It lies in ${markets} markets and is withdrawn from each of them.`,
  withdrawn: 'Withdrawn so far',
  withdraw: 'Withdraw',
  withdrawTo: 'Withdraw to another address',
  withdrawToTitle: 'Withdraw to another address',
  withdrawToText: (amount: string) =>
    `All you have earned, ${amount} now, goes to this address in one transfer. It cannot be taken back.`,
  recipient: 'Recipient',
  nothing: 'There is nothing to withdraw. Settle running orders to book what is final.',
  done: (amount: string) => `${amount} withdrawn`,
  describe: (amount: string) => `Withdraw ${amount}`,
  describeTo: (amount: string, address: string) => `Withdraw ${amount} to ${address}`,
  failedRead: 'could not be read',
}
