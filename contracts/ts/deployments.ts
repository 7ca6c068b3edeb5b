import { deployments } from './generated.ts'

/** The contracts of one chain. `access` alone would suffice: it names those of the market, Credit its gate, and the gate its USDT. */
export type Deployment = {
  readonly chainId: number
  /** The block of the first contract: no event of the market precedes it. */
  readonly fromBlock: number
  readonly access: `0x${string}`
  readonly registry: `0x${string}`
  readonly pledge: `0x${string}`
  readonly market: `0x${string}`
  /** The code behind the market's address besides its own. A deployment of an earlier version has none of its own. */
  readonly office?: `0x${string}`
  readonly lens?: `0x${string}`
  readonly credit: `0x${string}`
  /** Changes `usdt` into Credit and back. */
  readonly gate: `0x${string}`
  readonly usdt: `0x${string}`
  /** Who monitors, and what each of them reported. */
  readonly monitors: `0x${string}`
  /** The validator of the market, which vouches for the downtime that monitors agree on. */
  readonly findings: `0x${string}`
  /** Owns the market on every chain but 2985, and makes each change wait for seven days. */
  readonly timelock?: `0x${string}`
  /** Makes the purses of owners. A deployment of an earlier version has none. */
  readonly purseFactory?: `0x${string}`
}

/** The deployment on the chain `chainId`, or undefined if the market is not deployed there. */
export function deploymentOf(chainId: number): Deployment | undefined {
  return (deployments as Record<number, Deployment>)[chainId]
}

export { deployments }
