import type { ListedNode } from './useNodeSearch.ts'

export interface NodeRowProps {
  row: ListedNode
  /** Place in the whole list, from 0. */
  index: number
  /** The connected wallet, lower-case. */
  user: string | undefined
  /** Unix seconds. */
  now: number
  /** Offers Buy. */
  buy: boolean
  /** Offers Detail. */
  detail: boolean
}
