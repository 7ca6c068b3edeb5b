import { plural } from '../../../../i18n/plural.ts'

export const maintenance = {
  title: 'Maintenance',
  what: 'Say a day ahead when machines may be down: buyers are refunded as for any downtime, you pay no penalty, and your reliability does not suffer.',
  none: 'Nothing is announced.',
  failed: 'What is announced could not be read.',
  unwatched: 'No monitors watch this market: there is nothing to announce.',
  announce: 'Announce',
  announceTitle: 'Announce maintenance',
  all: 'all machines',
  withdraw: 'Withdraw',
  withdrawOf: (time: string) => `Withdraw the maintenance of ${time}`,
  stands: 'stands',
  standsWhy: 'Less than a day before it begins nothing is withdrawn any more.',
  from: 'From',
  until: 'Until',
  zone: (zone: string) => `In your time zone, ${zone}.`,
  earliest: (time: string) => `Not before ${time}.`,
  longest: (time: string) => `At most ${time} of a machine in a month of 30 days.`,
  machines: 'Machines',
  first: (most: string) => `The first ${most} are chosen: announce the others apart.`,
  signed: 'Written to the chain with your wallet. Buyers see it before they pay and on the page of their order.',
  describe: (time: string) => `Announce maintenance at ${time}`,
  announced: 'Announced',
  announcedText: 'It shows here once the market has read the block.',
  describeWithdraw: (time: string) => `Withdraw the maintenance of ${time}`,
  withdrawn: 'Withdrawn',
  problems: {
    no_time: 'Enter both times.',
    no_nodes: 'Choose a machine at least.',
    too_many_nodes: (most: string) => `Choose at most ${most} machines at once.`,
    ends_first: 'It ends before it begins.',
    too_long: (longest: string) => `A machine may be announced for ${longest} in a month at most.`,
    too_soon: (time: string) => `Maintenance is announced a day ahead: not before ${time}.`,
    over_month: (time: string) => `A month of maintenance ends at ${time}. Announce the time before and after it apart.`,
  },
  refused: {
    MaintenanceTooSoon:
      'The contract says that it is too soon: a day ahead is needed, and a while passed. Nothing was sent; choose a later time.',
    MaintenanceOutOfMonth:
      'It reaches over the end of a month of 30 days. Nothing was sent; announce the time before and after it apart.',
    TooMuchMaintenance:
      'One of these machines has less left of this month: eight hours, in eight pieces at most. Nothing was sent; choose a shorter time or other machines.',
    TooManyNodes: 'Those are too many machines at once. Nothing was sent; choose fewer.',
    NoMaintenance: 'The contract does not know this announcement any more. Nothing was sent.',
  },
  machinesCount: (machines: number) => plural('en', machines, { one: '# machine', other: '# machines' }),
}
