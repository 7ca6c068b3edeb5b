import { formatCredit } from '@rackfair/rules/money'

const NEVER = 2 ** 40 - 1

/** Explains an error of the contract Monitors on join, announce, resign, takePay or takeBond in a sentence, with what to do. */
export function explainRefusal(name: string, args: readonly unknown[]): string {
  switch (name) {
    case 'AlreadyMonitor':
      return 'this account is already a monitor; nothing was paid'
    case 'BondTooLow':
      return `a place costs a bond of at least ${formatCredit(args[1] as bigint)} Credit at present; nothing was paid`
    case 'NotMonitor':
      return 'this account is not a monitor: it never joined, has left, or took its bond back; nothing has changed'
    case 'StillBonded':
      return Number(args[0]) === NEVER
        ? 'the bond stays while this account monitors; leave first'
        : `the bond can be taken back from ${new Date(Number(args[0]) * 1000).toISOString()}`
    case 'NothingEarned':
      return 'nothing is left to take: a monitor is paid for each period of which it can show what was attested to it, while the pool has something'
    case 'NoKey':
      return 'the zero address cannot sign; nothing has changed'
    case 'UrlTooLong':
      return `the address may have at most ${args[1]} characters; nothing has changed`
    default:
      return `the contract refuses it: ${name}(${args.join(', ')})`
  }
}
