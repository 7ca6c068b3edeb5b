import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { creditAbi, monitorsAbi } from '@rackfair/contracts'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import type { Account, Address, Chain, Hex, PublicClient, Transport, WalletClient } from 'viem'
import { createWalletClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { saveState } from './chainState.ts'
import { localTransport } from './rpc.ts'

const COUNT = 3
/** Enough gas for years. */
const GAS_WEI = 100n * 10n ** 18n
const BOND_WEI = 1_000n * ONE_CREDIT_WEI
/** Fills the pool that pays them, since no commission is taken here. */
const PAY_POOL_WEI = 1_000n * ONE_CREDIT_WEI

/**
 * Three monitors with keys of their own, a bond each, money for gas, and a pool to be paid from. Answers the files of their keys; a second run sends nothing. A kill in
 * between leaves nothing but what the next run finds and goes on from.
 */
export async function joinMonitors(options: {
  stateDir: string
  stateFile: string
  rpcUrl: string
  client: PublicClient<Transport, Chain>
  owner: WalletClient<Transport, Chain, Account>
  monitors: Address
  credit: Address
  mint: (to: Address, amount: bigint) => Promise<void>
}): Promise<string[]> {
  const { client, owner, monitors, mint } = options
  const contract = { address: monitors, abi: monitorsAbi } as const
  const credit = { address: options.credit, abi: creditAbi } as const
  const keyFiles = Array.from({ length: COUNT }, (_, index) => keyFileOf(options.stateDir, index))
  const wallets = keyFiles.map((file) =>
    createWalletClient({
      account: privateKeyToAccount(readFileSync(file, 'utf8').trim() as Hex),
      chain: client.chain,
      transport: localTransport(options.rpcUrl),
    }),
  )
  const wait = (hash: Hex) => client.waitForTransactionReceipt({ hash })
  const bonds = await Promise.all(
    wallets.map(({ account }) => client.readContract({ ...contract, functionName: 'monitorOf', args: [account.address] })),
  )
  const missing = wallets.filter((_, index) => bonds[index]?.bond === 0n)
  for (const { account } of missing) {
    if ((await client.getBalance({ address: account.address })) === 0n)
      await wait(await owner.sendTransaction({ to: account.address, value: GAS_WEI }))
    const held = await client.readContract({ ...credit, functionName: 'balanceOf', args: [account.address] })
    if (held < BOND_WEI) await mint(account.address, BOND_WEI - held)
  }
  await Promise.all(
    missing.map(async (wallet) => {
      await wait(await wallet.writeContract({ ...credit, functionName: 'approve', args: [monitors, BOND_WEI] }))
      await wait(await wallet.writeContract({ ...contract, functionName: 'join', args: [BOND_WEI, wallet.account.address] }))
    }),
  )
  if (missing.length > 0 && (await client.readContract({ ...contract, functionName: 'pool' })) === 0n)
    await mint(monitors, PAY_POOL_WEI)
  if (missing.length > 0) await saveState(options)
  return keyFiles
}

function keyFileOf(stateDir: string, index: number): string {
  const dir = join(stateDir, 'monitors', String(index + 1))
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, 'key')
  if (!existsSync(file)) writeFileSync(file, `${generatePrivateKey()}\n`, { mode: 0o600 })
  return file
}
