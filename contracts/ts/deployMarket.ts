import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  getContractAddress,
  type Hex,
  type PublicClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { accessBytecode, creditBytecode, marketBytecode, pledgeBytecode, registryBytecode } from './bytecode.ts'
import type { DeployConfig } from './deployConfig.ts'
import type { Deployment } from './deployments.ts'
import { DEVELOPMENT_CHAIN_ID } from './developmentAccounts.ts'
import { accessAbi, creditAbi, marketAbi, pledgeAbi, registryAbi } from './generated.ts'
import { receiptOf } from './receiptOf.ts'
import { requireSafeKeys } from './requireSafeKeys.ts'
import { verifyDeployment } from './verifyDeployment.ts'

export interface DeployOptions {
  publicClient: PublicClient
  walletClient: WalletClient<Transport, Chain | undefined, Account>
  config: DeployConfig
  /** Told before each transaction what it does. */
  onStep?: (step: string) => void
}

/** Where the five contracts will be if the deployer's next transactions are this deployment. */
export function predictAddresses(from: Address, nonce: number): Omit<Deployment, 'chainId' | 'fromBlock' | 'usdt'> {
  const at = (offset: number) => getContractAddress({ from, nonce: BigInt(nonce + offset) })
  return { access: at(0), credit: at(1), registry: at(2), pledge: at(3), market: at(4) }
}

/**
 * Deploys and publishes the first version of the market from `config`, verifies the wiring and returns where it is.
 * The addresses depend only on the deployer and its nonce. Access ends up offered to `config.owner`, who has to accept it, unless
 * that is the deployer. Throws before the first transaction if the chain is not the config's or a well-known key would hold a role.
 */
export async function deployMarket({
  publicClient,
  walletClient,
  config,
  onStep = () => {},
}: DeployOptions): Promise<Deployment> {
  const deployer = walletClient.account
  await refuseUnsafe(publicClient, deployer.address, config)
  const nonce = await publicClient.getTransactionCount({ address: deployer.address, blockTag: 'pending' })
  const at = predictAddresses(deployer.address, nonce)

  const wait = async (hash: Hex) => {
    const receipt = await receiptOf(publicClient, hash)
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} of the deployment was reverted`)
    return receipt
  }
  const common = { account: deployer, chain: walletClient.chain ?? null } as const
  const deploy = async (name: string, expected: Address, abi: Abi, bytecode: Hex, args: unknown[]) => {
    onStep(`deploy ${name} at ${expected}`)
    const receipt = await wait(await walletClient.deployContract({ ...common, abi, bytecode, args }))
    if (receipt.contractAddress?.toLowerCase() !== expected.toLowerCase())
      throw new Error(`${name} was deployed at ${receipt.contractAddress}, not ${expected}: another transaction came in between`)
    return receipt.blockNumber
  }

  const fromBlock = await deploy('Access', at.access, accessAbi, accessBytecode, [
    deployer.address,
    config.guardian,
    config.validator,
    config.treasury,
  ])
  await deploy('Credit', at.credit, creditAbi, creditBytecode, [config.owner])
  await deploy('Registry', at.registry, registryAbi, registryBytecode, [at.access, at.pledge])
  await deploy('Pledge', at.pledge, pledgeAbi, pledgeBytecode, [
    config.owner,
    at.access,
    at.registry,
    at.credit,
    BigInt(config.interestRate),
  ])
  await deploy('Market', at.market, marketAbi, marketBytecode, [
    at.access,
    at.registry,
    at.pledge,
    at.credit,
    config.firstOrderId,
    {
      feeBps: config.feeBps,
      probation: config.probation,
      holdback: config.holdback,
      penalty: config.penalty,
      rewardDayCap: BigInt(config.rewardDayCap),
    },
  ])

  onStep('publish version 1')
  const set = { registry: at.registry, pledge: at.pledge, market: at.market, credit: at.credit }
  await wait(
    await walletClient.writeContract({ ...common, address: at.access, abi: accessAbi, functionName: 'publish', args: [set] }),
  )

  if (config.owner.toLowerCase() !== deployer.address.toLowerCase()) {
    onStep(`offer Access to ${config.owner}, who has to call acceptOwnership`)
    const args = [config.owner] as const
    await wait(
      await walletClient.writeContract({
        ...common,
        address: at.access,
        abi: accessAbi,
        functionName: 'transferOwnership',
        args,
      }),
    )
  }
  for (const { to, amount } of config.mint) {
    onStep(`mint ${amount} wei of Credit to ${to}`)
    const args = [to, BigInt(amount)] as const
    await wait(await walletClient.writeContract({ ...common, address: at.credit, abi: creditAbi, functionName: 'mint', args }))
  }

  const deployment: Deployment = {
    chainId: config.chainId,
    // The committed file of the development chain is true for every such chain, whichever block it deployed in.
    fromBlock: config.chainId === DEVELOPMENT_CHAIN_ID ? 0 : Number(fromBlock),
    ...at,
    ...(config.usdt === undefined ? {} : { usdt: config.usdt }),
  }
  onStep('verify the wiring')
  await verifyDeployment(publicClient, deployment, config, deployer.address)
  return deployment
}

async function refuseUnsafe(publicClient: PublicClient, deployer: Address, config: DeployConfig): Promise<void> {
  requireSafeKeys(config, deployer)
  const chainId = await publicClient.getChainId()
  if (chainId !== config.chainId) throw new Error(`the chain is ${chainId}, the config is for ${config.chainId}`)
  if (config.mint.length > 0 && config.owner.toLowerCase() !== deployer.toLowerCase())
    throw new Error('only the owner can mint, and the deployer is not the owner: leave mint empty')
}
