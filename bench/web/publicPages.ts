/** The pages visible without a wallet, to which the budgets apply. */
export const PUBLIC_PAGES = [
  { name: 'home', path: '/' },
  { name: 'status', path: '/status' },
  { name: 'node list', path: '/nodelist' },
] as const
