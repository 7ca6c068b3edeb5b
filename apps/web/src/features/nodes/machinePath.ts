import type { MarketNode } from '@rackfair/rules/node/node'

type Named = Pick<MarketNode, 'provider' | 'nodeId'>

/** The page of a machine. */
export const machinePath = ({ provider, nodeId }: Named) => `/machine?provider=${provider}&node=${nodeId}`

/** The purchase of a machine; `run` is what is to start on it. */
export const purchasePath = ({ provider, nodeId }: Named, run: string) =>
  `/addorder?provider=${provider}&node=${nodeId}${run === '' ? '' : `&run=${run}`}`
