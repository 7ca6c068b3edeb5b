import { type Abi, type Address, getContractAddress, type Hex } from 'viem'
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

export type MarketContracts = Required<Omit<Deployment, 'chainId' | 'fromBlock'>>

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
export function predictAddresses(from: Address, nonce: number, config: Pick<DeployConfig, 'usdt'>): MarketContracts {
  const at = (offset: number) => getContractAddress({ from, nonce: BigInt(nonce + offset) })
  const five = { access: at(0), credit: at(1), registry: at(2), pledge: at(3), market: at(4) }
  return config.usdt === 'test'
    ? { ...five, usdt: at(5), gate: at(6), monitors: at(7), purseFactory: at(8), findings: at(9), office: at(10), lens: at(11) }
    : {
        ...five,
        usdt: config.usdt,
        gate: at(5),
        monitors: at(6),
        purseFactory: at(7),
        findings: at(8),
        office: at(9),
        lens: at(10),
      }
}

/** The contracts in the order of their creation, with their constructor arguments. */
export function contractsOf(config: DeployConfig, deployer: Address, at: MarketContracts): ContractCreation[] {
  const { owner, guardian, rewarder, treasury, firstOrderId, commissionBps, probation, holdback, penalty } = config
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
    ...(config.usdt === 'test' ? [create('TestUsdt', at.usdt, testUsdtAbi, testUsdtBytecode, [owner])] : []),
    {
      ...create('Gate', at.gate, gateAbi, gateBytecode, [at.credit, at.usdt]),
      ...(config.usdt === 'test' ? { gas: GAS_OF_GATE } : {}),
    },
    create('Monitors', at.monitors, monitorsAbi, monitorsBytecode, [
      ...[at.credit, BigInt(epochSeconds), BigInt(epochsPerPeriod)],
    ]),
    create('PurseFactory', at.purseFactory, purseFactoryAbi, purseFactoryBytecode, [at.access, at.credit]),
    { ...create('Findings', at.findings, findingsAbi, findingsBytecode, [at.monitors, rewarder]), gas: GAS_OF_FINDINGS },
    create('MarketOffice', at.office, marketOfficeAbi, marketOfficeBytecode, [modules, at.lens]),
    create('MarketLens', at.lens, marketLensAbi, marketLensBytecode, [modules]),
  ]
}
