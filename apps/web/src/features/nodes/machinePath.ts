import type { MarketNode } from '@rackfair/rules/node/node'

type Named = Pick<MarketNode, 'provider' | 'nodeId'>

/** The end of an address: what is to start on the machine, and for how long, as `writeDuration` writes it. */
export const along = (run: string, duration: string): string =>
  `${run === '' ? '' : `&run=${run}`}${duration === '' ? '' : `&for=${duration}`}`

/** The page of a machine, with what goes along. */
export const machinePath = ({ provider, nodeId }: Named, words = '') => `/machine?provider=${provider}&node=${nodeId}${words}`

/** The purchase of a machine, with what goes along. */
export const purchasePath = ({ provider, nodeId }: Named, words = '') => `/addorder?provider=${provider}&node=${nodeId}${words}`
