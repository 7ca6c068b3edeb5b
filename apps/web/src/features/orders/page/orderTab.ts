export const ORDER_TABS = ['events'] as const
export type OrderTab = (typeof ORDER_TABS)[number]

/** The tab that an address names; the first one where it names none that there is. */
export function readOrderTab(text: string | null): OrderTab {
  return ORDER_TABS.find((tab) => tab === text) ?? ORDER_TABS[0]
}
