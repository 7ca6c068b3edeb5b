import { type Abi, type Address, getContractAddress, type Hex } from 'viem'
import { accessBytecode, creditBytecode, marketBytecode, pledgeBytecode, registryBytecode } from './bytecode.ts'
import type { DeployConfig } from './deployConfig.ts'
import type { Deployment } from './deployments.ts'
import { accessAbi, creditAbi, marketAbi, pledgeAbi, registryAbi } from './generated.ts'

export type MarketContracts = Omit<Deployment, 'chainId' | 'fromBlock' | 'usdt'>

export interface ContractCreation {
  name: string
  expected: Address
  abi: Abi
  bytecode: Hex
  args: unknown[]
}

/** Where the five contracts will be if the deployer's next transactions are this deployment. */
export function predictAddresses(from: Address, nonce: number): MarketContracts {
  const at = (offset: number) => getContractAddress({ from, nonce: BigInt(nonce + offset) })
  return { access: at(0), credit: at(1), registry: at(2), pledge: at(3), market: at(4) }
}

/** The five contracts in the order of their creation, with what their constructors are given. */
export function contractsOf(config: DeployConfig, deployer: Address, at: MarketContracts): ContractCreation[] {
  const { owner, guardian, validator, treasury, firstOrderId, feeBps, probation, holdback, penalty } = config
  const create = (name: string, expected: Address, abi: Abi, bytecode: Hex, args: unknown[]) => ({
    ...{ name, expected, abi, bytecode, args },
  })
  return [
    create('Access', at.access, accessAbi, accessBytecode, [deployer, guardian, validator, treasury]),
    create('Credit', at.credit, creditAbi, creditBytecode, [owner]),
    create('Registry', at.registry, registryAbi, registryBytecode, [at.access, at.pledge]),
    create('Pledge', at.pledge, pledgeAbi, pledgeBytecode, [
      ...[owner, at.access, at.registry, at.credit, BigInt(config.interestRate)],
    ]),
    create('Market', at.market, marketAbi, marketBytecode, [
      ...[at.access, at.registry, at.pledge, at.credit, firstOrderId],
      { feeBps, probation, holdback, penalty, rewardDayCap: BigInt(config.rewardDayCap) },
    ]),
  ]
}
