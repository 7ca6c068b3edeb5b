import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeDeployData,
  formatEther,
  type Hex,
  hexToString,
  isAddressEqual,
  type PublicClient,
} from 'viem'
import { getContractError } from 'viem/utils'
import { contractsOf, predictAddresses } from './contractsOf.ts'
import { type DeployConfig, PRODUCTION_PACE } from './deployConfig.ts'
import { DEVELOPMENT_CHAIN_ID } from './developmentAccounts.ts'
import { requireSafeKeys } from './requireSafeKeys.ts'

/** Gas for publishing, handing Access over and each mint, in addition to the creations. */
const GAS_OF_CALLS = 1_000_000n
/** The chain where money is real. */
const MAIN_CHAIN_ID = 985

/**
 * Simulates a deployment without sending it: chain, keys, the constructor of every contract, and the balance for gas. Returns the estimated
 * gas. Throws one Error with a line per problem.
 */
export async function checkDeployment(options: {
  publicClient: PublicClient
  deployer: Address
  config: DeployConfig
}): Promise<bigint> {
  const { publicClient, deployer, config } = options
  const problems: string[] = []
  const check = async (read: () => unknown) => {
    try {
      await read()
    } catch (error) {
      problems.push(sentenceOf(error))
    }
  }
  await check(() => requireSafeKeys(config, deployer))
  const chainId = await publicClient.getChainId()
  if (chainId !== config.chainId) problems.push(`the chain is ${chainId}, the config is for ${config.chainId}`)
  if (config.mint.length > 0 && !isAddressEqual(config.owner, deployer))
    problems.push('only the owner can mint, and the deployer is not the owner: leave mint empty')

  if (config.mint.length > 0 && config.chainId !== DEVELOPMENT_CHAIN_ID)
    problems.push(`Credit comes through the gate on chain ${config.chainId}: leave mint empty`)
  if (config.usdt === 'test' && config.chainId === MAIN_CHAIN_ID)
    problems.push(`a USDT that anybody creates would make Credit out of nothing on chain ${config.chainId}: name the real one`)

  if (config.chainId !== DEVELOPMENT_CHAIN_ID && !isProductionPace(config))
    problems.push(`monitors count in epochs of 300 s and periods of 96 on chain ${config.chainId}: leave epochSeconds out`)

  const nonce = await publicClient.getTransactionCount({ address: deployer, blockTag: 'pending' })
  let gas = GAS_OF_CALLS
  for (const creation of contractsOf(config, deployer, predictAddresses(deployer, nonce, config))) {
    const { abi, bytecode, args } = creation
    if (creation.gas !== undefined) {
      gas += creation.gas
      continue
    }
    await check(async () => {
      try {
        gas += await publicClient.estimateGas({
          account: deployer,
          data: encodeDeployData({ abi, bytecode, args }),
          gasPrice: 0n,
        })
      } catch (cause) {
        const error = getContractError(cause as BaseError, { abi, functionName: 'constructor', args })
        throw new Error(`${creation.name} refuses its configuration: ${sentenceOf(error)}`)
      }
    })
  }
  const [price, balance] = await Promise.all([publicClient.getGasPrice(), publicClient.getBalance({ address: deployer })])
  if (balance < gas * price)
    problems.push(`the deployer has ${formatEther(balance)} for gas, the deployment costs about ${formatEther(gas * price)}`)
  if (problems.length > 0) throw new Error(problems.map((problem) => `- ${problem}`).join('\n'))
  return gas
}

const isProductionPace = ({ epochSeconds, epochsPerPeriod }: DeployConfig): boolean =>
  epochSeconds === PRODUCTION_PACE.epochSeconds && epochsPerPeriod === PRODUCTION_PACE.epochsPerPeriod

/** The error in one line, without the bytecode that viem's messages contain. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : String(error)
  const reverted = error.walk((one) => one instanceof ContractFunctionRevertedError)
  const data = reverted instanceof ContractFunctionRevertedError ? reverted.data : undefined
  return data ? `${data.errorName}(${(data.args ?? []).map(textOf).join(', ')})` : error.shortMessage
}

/** A name stored in 32 bytes is shown as that name. */
function textOf(value: unknown): string {
  const isName = typeof value === 'string' && /^0x(?:[2-7][0-9a-f])+(?:00)+$/.test(value) && value.length === 66
  return isName ? hexToString(value as Hex, { size: 32 }) : String(value)
}
