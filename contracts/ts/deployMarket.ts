import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  type Hex,
  isAddressEqual,
  type PublicClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { checkDeployment } from './checkDeployment.ts'
import { contractsOf, ownerOf, predictAddresses } from './contractsOf.ts'
import type { DeployConfig } from './deployConfig.ts'
import type { Deployment } from './deployments.ts'
import { DEVELOPMENT_CHAIN_ID } from './developmentAccounts.ts'
import { accessAbi, creditAbi, testUsdtAbi } from './generated.ts'
import { receiptOf } from './receiptOf.ts'
import { handOver, TIMELOCK_SECONDS, timelockAbi } from './timelock.ts'
import { verifyDeployment } from './verifyDeployment.ts'

/** Wei of Credit per unit of a token with six decimals. */
const WEI_PER_TEST_USDT = 10n ** 12n

export interface DeployOptions {
  publicClient: PublicClient
  walletClient: WalletClient<Transport, Chain | undefined, Account>
  config: DeployConfig
  /** Called before each transaction with what it does. */
  onStep?: (step: string) => void
}

/**
 * Deploys and publishes the first version of the market from `config`, verifies the wiring and returns the deployment. The addresses depend
 * only on the deployer and its nonce. On every chain but 2985 a timelock owns it in the end, in which `config.owner` alone proposes, and the
 * deployer keeps nothing. On 2985 Access ends up offered to `config.owner`, who has to accept it, unless that is the deployer. Throws before
 * the first transaction if `checkDeployment` finds a problem.
 */
export async function deployMarket({
  publicClient,
  walletClient,
  config,
  onStep = () => {},
}: DeployOptions): Promise<Deployment> {
  const deployer = walletClient.account
  await checkDeployment({ publicClient, deployer: deployer.address, config })
  const nonce = await publicClient.getTransactionCount({ address: deployer.address, blockTag: 'pending' })
  const at = predictAddresses(deployer.address, nonce, config)

  const wait = async (hash: Hex) => {
    const receipt = await receiptOf(publicClient, hash)
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} of the deployment was reverted`)
    return receipt
  }
  const common = { account: deployer, chain: walletClient.chain ?? null } as const
  const deploy = async (name: string, expected: Address, abi: Abi, bytecode: Hex, args: unknown[]) => {
    onStep(`deploy ${name} at ${expected}`)
    const receipt = await wait(await walletClient.deployContract({ ...common, abi, bytecode, args }))
    if (!receipt.contractAddress || !isAddressEqual(receipt.contractAddress, expected))
      throw new Error(`${name} was deployed at ${receipt.contractAddress}, not ${expected}: another transaction came in between`)
    return receipt.blockNumber
  }

  const blocks: bigint[] = []
  for (const { name, expected, abi, bytecode, args } of contractsOf(config, deployer.address, at))
    blocks.push(await deploy(name, expected, abi, bytecode, args))
  const [fromBlock] = blocks

  onStep('publish version 1')
  const set = { registry: at.registry, pledge: at.pledge, market: at.market, credit: at.credit }
  await wait(
    await walletClient.writeContract({ ...common, address: at.access, abi: accessAbi, functionName: 'publish', args: [set] }),
  )

  const owner = ownerOf(config, at)
  if (!isAddressEqual(owner, deployer.address)) {
    onStep(`offer Access to ${owner}, which has to call acceptOwnership`)
    const args = [owner] as const
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
  if (at.timelock !== undefined) {
    onStep(`hand the timelock over to ${config.owner}, with a notice of ${TIMELOCK_SECONDS} s`)
    const timelock = { ...common, address: at.timelock, abi: timelockAbi } as const
    const batch = handOver(at.access, at.timelock, config.owner, deployer.address)
    await wait(await walletClient.writeContract({ ...timelock, functionName: 'scheduleBatch', args: [...batch, 0n] }))
    await wait(await walletClient.writeContract({ ...timelock, functionName: 'executeBatch', args: batch }))
  }
  for (const { to, amount } of config.mint) {
    onStep(`mint ${amount} wei of Credit to ${to}`)
    const args = [to, BigInt(amount)] as const
    await wait(await walletClient.writeContract({ ...common, address: at.credit, abi: creditAbi, functionName: 'mint', args }))
    // So that this Credit can be changed back, too.
    if (config.usdt === 'test') {
      const backing = [at.gate, args[1] / WEI_PER_TEST_USDT] as const
      await wait(
        await walletClient.writeContract({ ...common, address: at.usdt, abi: testUsdtAbi, functionName: 'mint', args: backing }),
      )
    }
  }

  const deployment: Deployment = {
    chainId: config.chainId,
    // The committed file of the development chain is valid for every such chain, whatever block it was deployed in.
    fromBlock: config.chainId === DEVELOPMENT_CHAIN_ID ? 0 : Number(fromBlock),
    ...at,
  }
  onStep('verify the wiring')
  await verifyDeployment(publicClient, deployment, config, deployer.address)
  return deployment
}
