import { accessAbi, marketAbi, marketLensAbi, marketOfficeAbi } from '@rackfair/contracts'
import { marketBytecode, marketLensBytecode, marketOfficeBytecode } from '@rackfair/contracts/bytecode'
import { type Abi, type Address, createPublicClient, createWalletClient, getAddress, type Hex, http } from 'viem'
import { developmentAccounts } from './accounts.ts'

/** Publishes the next version of a running market: a new Market over the same Registry, Pledge and Credit. Returns its address. */
export async function publishMarket(chain: { rpcUrl: string; access: Address }): Promise<Address> {
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const owner = createWalletClient({ account: developmentAccounts().owner, transport })
  const access = { address: chain.access, abi: accessAbi } as const
  const [, set] = await client.readContract({ ...access, functionName: 'current' })
  const before = { address: set.market, abi: marketAbi } as const
  const params = await client.readContract({ ...before, functionName: 'params' })
  const lastId = await client.readContract({ ...before, functionName: 'lastId' })
  const deploy = async (abi: Abi, bytecode: Hex, args: unknown[]): Promise<Address> => {
    const hash = await owner.deployContract({ abi, bytecode, args, chain: null })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('the Market was not deployed')
    return contractAddress
  }
  const { registry, pledge, credit } = set
  const modules = { access: chain.access, registry, pledge, credit, firstOrderId: Number(lastId) + 1_000 }
  const lens = await deploy(marketLensAbi, marketLensBytecode, [modules])
  const office = await deploy(marketOfficeAbi, marketOfficeBytecode, [modules, lens])
  const contractAddress = await deploy(marketAbi, marketBytecode, [modules, office, params])
  const publishing = await owner.writeContract({
    ...access,
    functionName: 'publish',
    args: [{ ...set, market: contractAddress }],
    chain: null,
  })
  const { status } = await client.waitForTransactionReceipt({ hash: publishing })
  if (status !== 'success') throw new Error('the version was not published')
  return getAddress(contractAddress)
}
