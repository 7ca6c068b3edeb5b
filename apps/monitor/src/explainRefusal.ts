import { formatCredit } from '@rackfair/core'

const NEVER = 2 ** 40 - 1

/** What the contract Monitors answers who joins, announces an address, leaves, or takes its pay or its bond, in a sentence and with what to do. */
export function explainRefusal(name: string, args: readonly unknown[]): string {
  switch (name) {
    case 'AlreadyMonitor':
      return 'this account monitors already; nothing was paid'
    case 'BondTooLow':
      return `the bond is at least ${formatCredit(args[1] as bigint)} Credit; nothing was paid`
    case 'TooManyMonitors':
      return `there are ${args[0]} monitors, the most that there may be; nothing was paid, try again when one has left`
    case 'NotMonitor':
      return 'this account does not monitor: it never joined, has left, or took its bond back; nothing has changed'
    case 'StillBonded':
      return Number(args[0]) === NEVER
        ? 'the bond stays while this account monitors; leave first'
        : `the bond can be taken back from ${new Date(Number(args[0]) * 1000).toISOString()} on`
    case 'NothingEarned':
      return 'nothing was earned that was not taken: a monitor is paid for each period that it reveals, while the pool has something'
    case 'UrlTooLong':
      return `the address may have at most ${args[1]} characters; nothing has changed`
    default:
      return `the contract refuses it: ${name}(${args.join(', ')})`
  }
}
