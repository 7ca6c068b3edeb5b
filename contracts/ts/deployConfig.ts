import { type Address, isAddress } from 'viem'

/**
 * The configuration of a deployment: `script/config/<chainId>.json`. Amounts are wei of Credit as decimal strings, times are seconds. On
 * 2985 the roles are accounts 0 to 3 of anvil's mnemonic, and the minted Credit belongs to the faucet, account 4.
 */
export interface DeployConfig {
  chainId: number
  /** On every chain but 2985 a timelock owns the market, and this account proposes in it. */
  owner: Address
  guardian: Address
  /** Signs reward vouchers. Downtime is vouched for by the contract Monitors, which is the Market's validator. */
  rewarder: Address
  treasury: Address
  /** Interest on pledges per year, 1e18 = 100 %. */
  interestRate: string
  firstOrderId: number
  /** Commission in 1/10,000 of what a provider earns. */
  commissionBps: number
  probation: number
  holdback: number
  penalty: number
  /** How monitors count time. Defaults to 300 and 96, which every chain but 2985 has to use. */
  epochSeconds: number
  epochsPerPeriod: number
  rewardDayCap: string
  /** The share of the commission, in 1/10,000, that interest on pledges is paid from. */
  interestShare: number
  /** The share of the commission, in 1/10,000, that monitors are paid from. */
  monitorShare: number
  /** Credit to mint at once, only on 2985 and if the deployer is the owner. Defaults to none. */
  mint: { to: Address; amount: string }[]
  /** The USDT that the gate changes, or `test` to deploy one that its owner can mint; not on 985. */
  usdt: Address | 'test'
}

/** The names of the roles in a config that hold an address. */
export const ROLES = ['owner', 'guardian', 'rewarder', 'treasury'] as const

/** The Market parameters that a config has as they are on chain. */
export const PARAMS = ['commissionBps', 'probation', 'holdback', 'penalty', 'interestShare', 'monitorShare'] as const

const PACE = ['epochSeconds', 'epochsPerPeriod'] as const
/** Five minutes, eight hours. */
export const PRODUCTION_PACE = { epochSeconds: 300, epochsPerPeriod: 96 } as const

/** Parses a config from JSON. Throws a sentence that names the first invalid field. */
export function parseDeployConfig(json: unknown): DeployConfig {
  const config = { ...(json as DeployConfig), mint: (json as Partial<DeployConfig>).mint ?? [] }
  for (const field of PACE) config[field] ??= PRODUCTION_PACE[field]
  for (const role of ROLES) {
    if (!isAddress(config[role])) throw new Error(`deploy config: ${role} is not an address: ${config[role]}`)
  }
  for (const field of ['chainId', 'firstOrderId', ...PARAMS, ...PACE] as const) {
    if (!Number.isSafeInteger(config[field]) || config[field] < 0)
      throw new Error(`deploy config: ${field} is not a whole number: ${config[field]}`)
  }
  for (const field of ['interestRate', 'rewardDayCap'] as const) {
    if (!/^\d+$/.test(config[field])) throw new Error(`deploy config: ${field} is not wei in decimal: ${config[field]}`)
  }
  if (!Array.isArray(config.mint)) throw new Error('deploy config: mint is not a list')
  for (const { to, amount } of config.mint) {
    if (!isAddress(to) || !/^\d+$/.test(amount)) throw new Error(`deploy config: mint does not name an address and wei: ${to}`)
  }
  if (config.usdt !== 'test' && !isAddress(config.usdt))
    throw new Error(`deploy config: usdt is neither an address nor "test": ${config.usdt}. Without it nobody could have Credit`)
  return config
}
