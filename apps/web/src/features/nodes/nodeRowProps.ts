import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { PriceUnit } from './priceUnit.ts'
import type { ListedNode } from './useNodeSearch.ts'

export interface NodeRowProps {
  row: ListedNode
  /** Place in the whole list, from 0. */
  index: number
  /** The connected wallet, lower-case. */
  user: LowerCaseAddress | undefined
  /** Unix seconds. */
  now: number
  /** Offers Buy. */
  buy: boolean
  /** What goes along to the machine and its purchase. */
  along?: string
  /** Offers Detail. */
  detail: boolean
  per: PriceUnit
  /** Can be taken into a comparison. */
  compare: boolean
}
