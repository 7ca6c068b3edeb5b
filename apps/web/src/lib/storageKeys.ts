/** What the browser keeps that a page drawn by the platform cannot show: the program has to be there for it. */
export const STORAGE_KEYS = { wallet: 'rackfair.wallet', theme: 'rackfair.theme', searches: 'rackfair.searches' } as const
