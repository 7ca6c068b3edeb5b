import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import type { AgentConfig } from './agentConfig.ts'

/**
 * The name of an order on the machine of the market itself: browsers lead names below `localhost` to their own machine. One label, as orders
 * below a common one could set cookies for all of it; with the agent's, as orders of another local market have the same numbers.
 */
export const localName = (orderId: bigint, instance: string): string => `o-${orderId}-${instance}.localhost`

/** What stands in the names of this agent's orders, where agent, market and visitors share one machine. */
export const localInstanceOf = ({ chainId, gateway, instance }: AgentConfig): string | undefined =>
  chainId === DEVELOPMENT_CHAIN_ID && /^127(\.\d{1,3}){3}$/.test(gateway.publicHost) ? instance : undefined
