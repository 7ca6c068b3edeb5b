export const ORDER_TABS = ['logs', 'terminal', 'usage', 'files', 'events'] as const
export type OrderTab = (typeof ORDER_TABS)[number]

/** The tab that an address names, where the order has it; else `first`. */
export function readOrderTab(text: string | null, tabs: readonly OrderTab[], first: OrderTab): OrderTab {
  return tabs.find((tab) => tab === text) ?? first
}
