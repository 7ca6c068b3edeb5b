import { accessAbi, marketAbi, ROLE } from '@rackfair/contracts'
import { type Address, createPublicClient, createWalletClient, http } from 'viem'
import { developmentAccounts } from './accounts.ts'

/**
 * Submits a report that an order was down for `totalSeconds` of its time up to `asOf`, in place of the Monitors: a key replaces them as the
 * market's validator first. Only for a market whose monitors the test no longer needs.
 */
export async function reportDowntime(
  chain: { rpcUrl: string; chainId: number; access: Address },
  report: { orderId: bigint; totalSeconds: number; asOf: number },
): Promise<void> {
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const { owner, guardian: validator } = developmentAccounts()
  const wallet = createWalletClient({ account: owner, transport })
  const access = { address: chain.access, abi: accessAbi } as const
  const done = async (hash: `0x${string}`) => {
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} was reverted`)
  }
  const args = [ROLE.Validator, validator.address] as const
  if ((await client.readContract({ ...access, functionName: 'validator' })) !== validator.address)
    await done(await wallet.writeContract({ ...access, functionName: 'setRole', args, chain: null }))
  const { orderId, totalSeconds, asOf } = report
  const market = await client.readContract({ ...access, functionName: 'marketOf', args: [orderId] })
  const signature = await validator.signTypedData({
    domain: { name: 'Rackfair Market', version: '1', chainId: chain.chainId, verifyingContract: market },
    types: {
      Downtime: [
        { name: 'orderId', type: 'uint64' },
        { name: 'totalSeconds', type: 'uint32' },
        { name: 'asOf', type: 'uint40' },
      ],
    },
    primaryType: 'Downtime',
    message: { orderId, totalSeconds, asOf },
  })
  await done(
    await wallet.writeContract({
      ...{ address: market, abi: marketAbi, functionName: 'creditDowntime', chain: null },
      args: [orderId, totalSeconds, asOf, signature],
    }),
  )
}
