/** The pages that anybody sees without a wallet, and that the budgets are about. */
export const PUBLIC_PAGES = [
  { name: 'home', path: '/' },
  { name: 'status', path: '/status' },
  { name: 'node list', path: '/nodelist' },
] as const
