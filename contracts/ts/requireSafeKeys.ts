import type { Address } from 'viem'
import { type DeployConfig, ROLES } from './deployConfig.ts'
import { DEVELOPMENT_CHAIN_ID, isDevelopmentAccount } from './developmentAccounts.ts'

/** Throws if, on any chain but 2985, an account whose private key is public knowledge would deploy or hold a role. */
export function requireSafeKeys(config: DeployConfig, deployer: Address): void {
  if (config.chainId === DEVELOPMENT_CHAIN_ID) return
  const holders = [...ROLES.map((role) => [role, config[role]] as const), ['deployer', deployer] as const]
  const known = holders.find(([, address]) => isDevelopmentAccount(address))
  if (known) throw new Error(`everybody has the key of ${known[1]}: it cannot be ${known[0]} on chain ${config.chainId}`)
}
