import { type Abi, type Address, getContractAddress, type Hex, zeroAddress } from 'viem'
import {
  accessBytecode,
  creditBytecode,
  findingsBytecode,
  gateBytecode,
  marketBytecode,
  marketLensBytecode,
  marketOfficeBytecode,
  monitorsBytecode,
  pledgeBytecode,
  purseFactoryBytecode,
  registryBytecode,
  testUsdtBytecode,
} from './bytecode.ts'
import type { DeployConfig } from './deployConfig.ts'
import type { Deployment } from './deployments.ts'
import { DEVELOPMENT_CHAIN_ID } from './developmentAccounts.ts'
import {
  accessAbi,
  creditAbi,
  findingsAbi,
  gateAbi,
  marketAbi,
  marketLensAbi,
  marketOfficeAbi,
  monitorsAbi,
  pledgeAbi,
  purseFactoryAbi,
  registryAbi,
  testUsdtAbi,
} from './generated.ts'
import { timelockAbi, timelockBytecode } from './timelock.ts'

export type MarketContracts = Required<Omit<Deployment, 'chainId' | 'fromBlock' | 'timelock'>> & Pick<Deployment, 'timelock'>

/** As measured, plus a fifth. */
const GAS_OF_GATE = 1_000_000n
const GAS_OF_FINDINGS = 4_500_000n

export interface ContractCreation {
  name: string
  expected: Address
  abi: Abi
  bytecode: Hex
  args: unknown[]
  /** Gas of its creation, if it calls one of the others and so cannot be simulated alone. */
  gas?: bigint
}

/** The addresses of the contracts if the deployer's next transactions are this deployment. */
export function predictAddresses(from: Address, nonce: number, config: Pick<DeployConfig, 'usdt' | 'chainId'>): MarketContracts {
  let offset = nonce
  const next = () => getContractAddress({ from, nonce: BigInt(offset++) })
  return {
    access: next(),
    credit: next(),
    registry: next(),
    pledge: next(),
    market: next(),
    usdt: config.usdt === 'test' ? next() : config.usdt,
    gate: next(),
    monitors: next(),
    purseFactory: next(),
    findings: next(),
    office: next(),
    lens: next(),
    ...(config.chainId === DEVELOPMENT_CHAIN_ID ? {} : { timelock: next() }),
  }
}

/** Who owns the market: on every chain but 2985 a timelock, in which `config.owner` proposes. */
export const ownerOf = (config: Pick<DeployConfig, 'owner'>, { timelock }: Pick<Deployment, 'timelock'>): Address =>
  timelock ?? config.owner

/** The contracts in the order of their creation, with their constructor arguments. */
export function contractsOf(config: DeployConfig, deployer: Address, at: MarketContracts): ContractCreation[] {
  const owner = ownerOf(config, at)
  const { guardian, rewarder, treasury, firstOrderId, commissionBps, probation, holdback, penalty } = config
  const { epochSeconds, epochsPerPeriod, interestShare, monitorShare } = config
  const create = (name: string, expected: Address, abi: Abi, bytecode: Hex, args: unknown[]) => ({
    ...{ name, expected, abi, bytecode, args },
  })
  const modules = { access: at.access, registry: at.registry, pledge: at.pledge, credit: at.credit, firstOrderId }
  return [
    create('Access', at.access, accessAbi, accessBytecode, [deployer, guardian, at.findings, treasury]),
    create('Credit', at.credit, creditAbi, creditBytecode, [owner, at.gate]),
    create('Registry', at.registry, registryAbi, registryBytecode, [at.access, at.pledge]),
    create('Pledge', at.pledge, pledgeAbi, pledgeBytecode, [
      ...[owner, at.access, at.registry, at.credit, BigInt(config.interestRate)],
    ]),
    create('Market', at.market, marketAbi, marketBytecode, [
      ...[modules, at.office],
      { commissionBps, probation, holdback, penalty, rewardDayCap: BigInt(config.rewardDayCap), interestShare, monitorShare },
    ]),
    ...(config.usdt === 'test' ? [create('TestUsdt', at.usdt, testUsdtAbi, testUsdtBytecode, [config.owner])] : []),
    {
      ...create('Gate', at.gate, gateAbi, gateBytecode, [at.credit, at.usdt]),
      ...(config.usdt === 'test' ? { gas: GAS_OF_GATE } : {}),
    },
    create('Monitors', at.monitors, monitorsAbi, monitorsBytecode, [
      at.access,
      ...[at.credit, BigInt(epochSeconds), BigInt(epochsPerPeriod)],
    ]),
    create('PurseFactory', at.purseFactory, purseFactoryAbi, purseFactoryBytecode, [at.access, at.credit]),
    {
      ...create('Findings', at.findings, findingsAbi, findingsBytecode, [at.monitors, rewarder, zeroAddress]),
      gas: GAS_OF_FINDINGS,
    },
    create('MarketOffice', at.office, marketOfficeAbi, marketOfficeBytecode, [modules, at.lens]),
    create('MarketLens', at.lens, marketLensAbi, marketLensBytecode, [modules]),
    // Without a notice until Access is its own: see `handOver`. Whoever wants to may carry out what has waited.
    ...(at.timelock === undefined
      ? []
      : [create('Timelock', at.timelock, timelockAbi, timelockBytecode, [0n, [deployer], [zeroAddress], zeroAddress])]),
  ]
}
