import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { waitForReceipt, withGasMargin } from '@rackfair/sdk'
import { type Abi, type Account, createPublicClient, createWalletClient, type Hex, hexToBigInt, http } from 'viem'

export interface BatchCall {
  to: Hex
  data?: Hex | undefined
  value?: Hex | undefined
}

export interface SmartAccount {
  address: Hex
  /** Runs all calls in one transaction of the owner, atomically. */
  execute(calls: readonly BatchCall[]): Promise<Hex>
}

/** A contract that owns money and orders on behalf of `owner`, who pays the gas. */
export async function deploySmartAccount(rpcUrl: string, owner: Account): Promise<SmartAccount> {
  const { abi, bytecode } = compile()
  const writer = createWalletClient({ account: owner, transport: http(rpcUrl) })
  const reader = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 })
  const hash = await writer.deployContract({ abi, bytecode, args: [owner.address], chain: null })
  const { contractAddress } = await waitForReceipt(reader, hash)
  if (!contractAddress) throw new Error('the smart account was not deployed')
  return {
    address: contractAddress,
    execute: async (calls) => {
      const list = calls.map(({ to, data, value }) => ({ to, data: data ?? '0x', value: value ? hexToBigInt(value) : 0n }))
      const call = { abi, address: contractAddress, functionName: 'execute', args: [list] } as const
      const gas = withGasMargin(await reader.estimateContractGas({ ...call, account: owner }))
      return writer.writeContract({ ...call, gas, chain: null })
    },
  }
}

function compile(): { abi: Abi; bytecode: Hex } {
  const compiler = fileURLToPath(new URL('../bin/solc', import.meta.resolve('@rackfair/contracts/foundry')))
  const content = readFileSync(new URL('./SmartAccount.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'SmartAccount.sol': { content } },
    settings: { evmVersion: 'paris', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const output = JSON.parse(
    execFileSync(process.execPath, [compiler, '--standard-json'], { input: JSON.stringify(input), encoding: 'utf8' }),
  ) as { contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>> }
  const contract = output.contracts?.['SmartAccount.sol']?.SmartAccount
  if (!contract) throw new Error(`the smart account does not compile: ${JSON.stringify(output)}`)
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}
