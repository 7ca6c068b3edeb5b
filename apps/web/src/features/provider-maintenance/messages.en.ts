import { plural } from '../../i18n/plural.ts'

export const en = {
  title: 'Maintenance',
  what: 'Announce planned downtime: buyers are refunded as for any other, you pay no penalty, and your reliability does not suffer.',
  ahead: (notice: string) => `At least ${notice} ahead.`,
  none: 'Nothing is announced.',
  failed: 'The announcements could not be read.',
  unwatched: 'No monitors watch this market: there is nothing to announce.',
  noChain: 'The chain does not answer, so nothing can be announced or withdrawn now. What has been announced stands.',
  announce: 'Announce',
  announceTitle: 'Announce maintenance',
  all: 'all machines',
  withdraw: 'Withdraw',
  withdrawOf: (time: string) => `Withdraw the maintenance of ${time}`,
  stands: 'stands',
  standsWhy: (notice: string) => `Nothing can be withdrawn less than ${notice} before it begins.`,
  from: 'From',
  until: 'Until',
  zone: (zone: string) => `In your time zone, ${zone}.`,
  earliest: (time: string) => `Not before ${time}.`,
  left: (left: string, all: string) => `Each chosen machine has ${left} left then, of ${all} in any 30 days.`,
  leftUnknown: (all: string) =>
    `A machine has ${all} in any 30 days. What is left could not be read; the contract checks it before anything is sent.`,
  leftOf: (left: string) => `${left} left`,
  piecesUsed: 'none left',
  machines: 'Machines',
  filter: 'Filter machines',
  noMatch: 'No machine name contains this.',
  chosen: (chosen: string, all: string) => `${chosen} of ${all} chosen`,
  chooseAll: (machines: number) => plural('en', machines, { one: 'Choose # machine', other: 'Choose all #' }),
  chooseNone: (machines: number) => plural('en', machines, { one: 'Leave # machine out', other: 'Leave all # out' }),
  several: (machines: string, transactions: string, most: string) =>
    `${machines} machines take ${transactions} transactions, of at most ${most} machines each. If one fails, those before it stand.`,
  signed: 'Written to the chain with your wallet. Buyers see it before they pay and on the page of their order.',
  fixed: (notice: string) => `You can withdraw it until ${notice} before it begins. From then on it stands.`,
  describe: (time: string) => `Announce maintenance at ${time}`,
  announced: 'Announced',
  announcedText: 'It shows here once the market has read the block.',
  describeWithdraw: (time: string) => `Withdraw the maintenance of ${time}`,
  withdrawn: 'Withdrawn',
  problems: {
    no_time: 'Enter both times.',
    no_nodes: 'Choose at least one machine.',
    ends_first: 'It ends before it begins.',
    too_long: (longest: string) => `A machine may be announced for at most ${longest} in any 30 days.`,
    too_soon: (notice: string, time: string) => `Maintenance is announced at least ${notice} ahead: not before ${time}.`,
    too_far: (time: string) => `Maintenance is announced at most 30 days ahead: not after ${time}.`,
    over_month: (time: string) => `A month of maintenance ends at ${time}. Announce the time before and after that separately.`,
    used: (machine: string, left: string, wanted: string) =>
      `${machine} has ${left} left in the 30 days around that time, and this takes ${wanted}, counted in whole steps. Choose a shorter time, or leave it out.`,
    no_pieces: (machine: string, most: string) =>
      `${machine} was announced ${most} times this month, which is the limit. Leave it out, or choose a time in the next month.`,
  },
  refused: {
    MaintenanceTooSoon:
      'The contract says that it now begins too soon to be announced or withdrawn. Nothing was sent; choose a later time.',
    MaintenanceOutOfMonth:
      'It begins more than 30 days from now, or extends past the end of a month of maintenance. Nothing was sent; choose an earlier time, or announce the time before and after that end separately.',
    TooMuchMaintenance:
      'One of these machines has too little time left in the 30 days around it, or no announcement left this month. Nothing was sent; choose a shorter time or other machines.',
    TooManyNodes: 'Those are too many machines at once. Nothing was sent; choose fewer.',
    NoMaintenance: 'The contract no longer knows this announcement. Nothing was sent.',
  },
  machinesCount: (machines: number) => plural('en', machines, { one: '# machine', other: '# machines' }),
}
