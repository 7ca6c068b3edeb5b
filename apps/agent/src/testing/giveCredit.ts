import { creditAbi } from '@rackfair/contracts'
import type { Deployment } from '@rackfair/contracts/deployments'
import { type Address, createTestClient, http, parseEther, publicActions, walletActions } from 'viem'

/** Mints Credit on a chain where only the gate can, as if these accounts had deposited USDT. */
export async function giveCredit(rpcUrl: string, { credit, gate }: Deployment, accounts: readonly Address[]): Promise<void> {
  const control = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
    .extend(walletActions)
    .extend(publicActions)
  await control.impersonateAccount({ address: gate })
  await control.setBalance({ address: gate, value: parseEther('1') })
  const mint = { address: credit, account: gate, chain: null, abi: creditAbi, functionName: 'mint' } as const
  for (const account of accounts) {
    const hash = await control.writeContract({ ...mint, args: [account, parseEther('10000')] })
    // Anvil answers before it mines.
    const { status } = await control.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    if (status !== 'success') throw new Error(`no Credit for ${account}`)
  }
}
