import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { knowsLocalNames, pageLink, visitLink } from '@rackfair/rules/deployment/visitUrl'
import type { Order } from '@rackfair/rules/order/order'

/** Where this browser opens the application of an order. */
export function pageLinkHere(order: Order, latest: Deployment | null | undefined): string {
  return knowsLocalNames(navigator.userAgent) ? pageLink(order, latest) : visitLink(order, latest?.visitUrl)
}
