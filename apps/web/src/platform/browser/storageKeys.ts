/** Stored keys whose values the platform's rendering cannot reflect: the app has to be loaded for them. */
export const STORAGE_KEYS = { wallet: 'rackfair.wallet', theme: 'rackfair.theme', searches: 'rackfair.searches' } as const
