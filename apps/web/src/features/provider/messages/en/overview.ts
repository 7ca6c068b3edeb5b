export const overview = {
  earningNow: 'Earning now',
  perDay: ' a day',
  ifAllSold: (amount: string, sold: string, nodes: string) => `${sold} of ${nodes} sold, ${amount} if all were`,
  uninterrupted: '30 days uninterrupted',
  seenDays: (days: string) => `from ${days} node days that monitors saw`,
  notSeen: 'Monitors have not seen your machines yet.',
  notRead: 'could not be read',
  earnedIn: (days: string) => `Earned in ${days} days`,
  lessCommission: (amount: string) => `less ${amount} commission`,
  nothingEarned: 'Nothing was earned in this range. Earnings are booked when an order is settled.',
  bars: 'Earnings day by day',
  today: 'today',
}

export const machines = {
  title: 'Machines',
  use: 'Use',
  heat: 'Heat',
  order: 'Order',
  day: 'A day',
  perMonth: ' a month',
  until: (date: string) => `to ${date}`,
  neverSold: 'never sold',
  lastSold: (date: string) => `sold last until ${date}`,
  lastDay: (node: string) => `Use of ${node} over 24 hours`,
  heatOf: (celsius: number) => `${celsius} °C`,
  heatToLimit: (celsius: number, limit: number) => `${celsius} °C; it slows down at ${limit} °C`,
  locked:
    'Use and heat come from your agent, sealed: nobody between you and it can read them. Your wallet signs once for this browser.',
  unlock: 'Show use and heat',
  unavailable: 'Use and heat are shown on pages with TLS only: without it a browser makes no keys.',
  waiting: 'Your agent is not connected. Use and heat come back with it.',
  tooOld: 'Your agent is too old to say how its machines are used. Update it: orders run on meanwhile.',
}

export const next = {
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
    title: 'Your agent was never heard',
    reason: 'Nobody can buy your nodes before it runs on your machine and its operator key is appointed.',
  },
  agentSilent: {
    title: (length: string) => `Your agent is silent for ${length}`,
    costs: (amount: string) =>
      `Its orders bring ${amount} an hour. What monitors see down is not paid, and a whole day costs pledge.`,
    idle: 'None of your nodes can be bought until it is back.',
  },
  gpuProblem: {
    title: (model: string) => `A ${model} cannot be used`,
    reason: (problem: string) => `${problem}. No order gets it, and its node is off the market.`,
  },
  pledgeBlocks: {
    title: (node: string) => `${node} cannot be sold`,
    reason: (amount: string) => `A sale locks a day of its price. ${amount} more of free pledge is needed.`,
  },
  hot: {
    title: (node: string) => `${node} is hot`,
    reason: (celsius: number, limit: number) => `${celsius} °C, from ${limit} °C on it slows down. Its buyer sees it too.`,
  },
  overdue: {
    title: (text: string, count: number) => (count === 1 ? 'An order is over' : `${text} orders are over`),
    reason: 'Settling pays out the rest of them, and frees the pledge that they lock.',
  },
  idle: {
    title: (node: string, length: string) => `${node} idles for ${length}`,
    never: (node: string) => `${node} was never sold`,
    reason: (share: string, median: string) => `It stands ${share} above the median of such machines, ${median} a month.`,
  },
  noAlerts: { title: 'No alert channel yet', reason: 'Sold, offline, closed: by webhook or mail.' },
}

export const alerts = {
  title: 'Alerts',
  rules: 'Rules',
  none: 'Nobody tells you yet when a node is sold or your agent goes offline.',
  channels: (count: number) => (count === 1 ? '1 channel' : `${count} channels`),
  quiet: 'Nothing was sent yet.',
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
  states: { sent: 'delivered', waiting: 'not delivered yet, tried again', failed: 'not delivered' },
}
