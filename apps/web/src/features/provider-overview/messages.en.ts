import { plural } from '../../i18n/plural.ts'

export const en = {
  addNode: 'Add a Node',
  sections: 'Nodes, orders and earnings',
  tabs: {
    machines: 'Machines',
    orders: 'Orders',
    earnings: 'Earnings',
    pledge: 'Pledge',
  },
  count: (nodes: number, sold: number) =>
    `${plural('en', nodes, { one: '# node', other: '# nodes' })}, ${plural('en', sold, { one: '# sold', other: '# sold' })}`,
  chainFailed: 'The chain could not be read',
  chainSafe: 'Your money is not affected. Figures from the chain appear as soon as it answers.',
  figures: {
    earningNow: 'Earning now',
    perDay: ' a day',
    ifAllSold: (amount: string, sold: string, nodes: string) => `${sold} of ${nodes} sold, ${amount} if all were`,
    uninterrupted: '30 days uninterrupted',
    seenDays: (days: string) => `from ${days} node days seen by monitors`,
    notSeen: 'Monitors have not seen your machines yet.',
    notRead: 'could not be read',
  },
  next: {
    title: 'Next',
    nothing: 'Nothing to do: your machines are online, and every one of them can be sold.',
    guide: 'How to start it',
    addNode: 'Add a machine',
    addPledge: 'Add pledge',
    settle: 'To the orders',
    changePrice: 'Change price',
    setUp: 'Set up',
    noNodes: { title: 'List your first machine', reason: 'One transaction with what it has and what each part costs.' },
    agentNever: {
      title: 'Your agent was never heard from',
      reason: 'Nobody can buy your nodes before it runs on your machine and its operator key is appointed.',
    },
    agentSilent: {
      title: (length: string) => `Your agent has been silent for ${length}`,
      costs: (amount: string) =>
        `Its orders bring ${amount} an hour. Time that monitors see it down is not paid, and a whole day down costs pledge.`,
      idle: 'None of your nodes can be bought until it is back.',
    },
    gpuProblem: {
      title: (model: string) => `A ${model} cannot be used`,
      reason: (problem: string) => `${problem}. No order gets it, and its node is off the market.`,
    },
    pledgeBlocks: {
      title: (node: string) => `${node} cannot be sold`,
      reason: (amount: string) => `A sale locks pledge behind it. ${amount} more of free pledge is needed.`,
    },
    hot: {
      title: (node: string) => `${node} is hot`,
      reason: (celsius: number, limit: number) => `${celsius} °C; it slows down from ${limit} °C. Its buyer sees it too.`,
    },
    overdue: {
      title: (text: string, count: number) => (count === 1 ? 'An order is over' : `${text} orders are over`),
      reason: 'Settling pays out the rest of them, and frees the pledge that they lock.',
    },
    idle: {
      title: (node: string, length: string) => `${node} has been idle for ${length}`,
      never: (node: string) => `${node} was never sold`,
      reason: (share: string, median: string) => `It is priced ${share} above the median of such machines, ${median} a month.`,
    },
    noAlerts: { title: 'No alert channel yet', reason: 'Sold, offline, closed: by webhook or mail.' },
  },
  alerts: {
    title: 'Alerts',
    rules: 'Rules',
    none: 'Nobody tells you yet when a node is sold or your agent goes offline.',
    channels: (count: number) => (count === 1 ? '1 channel' : `${count} channels`),
    quiet: 'Nothing has been sent yet.',
    unread: 'Your alerts could not be read.',
    events: {
      sold: (order: string) => `Order ${order}: a node was sold`,
      closed: (order: string) => `Order ${order} was closed`,
      offline: (order: string) => (order === '' ? 'Your agent was offline' : `Order ${order}: its machine was offline`),
      gas: () => 'Your agent was running out of gas',
      pledge: () => 'Your pledge was too low to sell a node',
      failed: (order: string) => `Order ${order}: its application failed`,
      ending: (order: string) => `Order ${order} ends soon`,
    },
    states: { sent: 'delivered', waiting: 'not delivered yet, being retried', failed: 'not delivered' },
  },
}
