import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessAbi, marketAbi, monitorsAbi } from '@rackfair/contracts'
import { monitorsBytecode } from '@rackfair/contracts/bytecode'
import { MONTH_SECONDS, ONE_CREDIT_WEI } from '@rackfair/core'
import { type ContractCall, contractCall, quoteOrder, readAddresses, sendCall, waitForReceipt } from '@rackfair/sdk'
import { startChain } from '@rackfair/testkit'
import { pino } from 'pino'
import { type Account, createPublicClient, createTestClient, createWalletClient, type Hex, http, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createAttestations } from '../../../agent/src/uptime/createAttestations.ts'
import { createKnownMonitors } from '../../../agent/src/uptime/knownMonitors.ts'
import { openEvidence } from '../../../agent/src/uptime/openEvidence.ts'
import { createMonitor } from '../createMonitor.ts'
import { openObservations } from '../openObservations.ts'
import { startServer } from '../startServer.ts'

const CHAIN = 2985
const BOND = 1000n * ONE_CREDIT_WEI

/**
 * A market on a chain of its own with a running order, the agent's side of its node behind a real port, and `count` monitors with a bond. One clock
 * for all, which the test sets; the chain follows it.
 */
export async function setupMonitoredMarket(count: number) {
  const chain = await startChain({ blockTime: 0 })
  const { owner, user, provider, operator } = chain.accounts
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 10, cacheTime: 0 })
  const time = createTestClient({ mode: 'anvil', transport })
  const addresses = await readAddresses(client, chain.deployment.access)
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-monitors-'))
  const wallet = (account: Account) => createWalletClient({ account, transport })
  const wait = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
    return receipt
  }
  const call = async (account: Account, one: ContractCall) => waitForReceipt(client, await sendCall(client, wallet(account), one))
  let clock = Number((await client.getBlock()).timestamp)
  const now = () => clock

  const args = [addresses.credit, owner.address] as const
  const deployed = await wallet(owner).deployContract({ abi: monitorsAbi, bytecode: monitorsBytecode, args, chain: null })
  const contract = (await wait(deployed)).contractAddress as Hex
  const access = { address: addresses.access, abi: accessAbi, chain: null } as const
  await wait(await wallet(owner).writeContract({ ...access, functionName: 'setRole', args: [1, contract] }))

  await call(owner, contractCall(addresses, 'credit', 'mint', [user.address, BOND]))
  await call(owner, contractCall(addresses, 'credit', 'mint', [provider.address, BOND]))
  const evidence = openEvidence(join(folder, 'evidence.sqlite'))
  const node = { orderId: 0n, market: addresses.market, healthy: true }
  const attestations = createAttestations({
    ...{ account: operator, chainId: CHAIN, provider: provider.address, evidence, now },
    monitors: createKnownMonitors({ client, addresses }, () => clock * 1000),
    node: (nodeId) => (nodeId === 1n ? node : undefined),
    // All monitors ask from one address here.
    pace: { burst: 1000, refillMs: 1 },
  })
  let server: Server | undefined
  const openGateway = async (port: number) => {
    server = createServer((request, response) => {
      void attestations[request.url === '/.rackfair/attestation' ? 'attestation' : 'acknowledgement'](request, response)
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const closeGateway = async () => {
    const open = server
    server = undefined
    if (open) await new Promise((resolve) => open.close(resolve))
  }
  const port = await openGateway(0)

  const registration = { name: 'helios', ip: '127.0.0.1', domain: '', port }
  await call(provider, contractCall(addresses, 'registry', 'register', [registration]))
  await call(provider, contractCall(addresses, 'registry', 'setOperator', [operator.address]))
  const machine = { cpuModel: 'Xeon', gpuModel: '', nCPU: 2, core: 20, nGPU: 0, nMEM: 64, nDISK: 500 }
  const prices = { pCPU: 43n * ONE_CREDIT_WEI, pGPU: 0n, pMEM: 0n, pDISK: 0n }
  await call(provider, contractCall(addresses, 'registry', 'add_node', [{ ...machine, ...prices }]))
  await call(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, BOND]))
  await call(provider, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, BOND]))
  const { feeWei, rev } = await quoteOrder(client, addresses, provider.address, 1n, MONTH_SECONDS)
  await call(user, contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
  const input = { provider: provider.address, nodeId: 1n, rev, duration: MONTH_SECONDS, maxFee: feeWei, app: '' }
  await call(user, contractCall(addresses, 'market', 'createOrder', [input]))
  node.orderId = await client.readContract({ address: addresses.market, abi: marketAbi, functionName: 'lastId' })
  await call(provider, contractCall(addresses, 'market', 'activate', [node.orderId]))

  const peers: string[] = []
  const open = async (account: LocalAccount, file: string) => {
    const observations = openObservations(file)
    const published = await startServer({ host: '127.0.0.1', port: 0, monitor: account.address, observations, now })
    peers.push(`http://127.0.0.1:${published.port}`)
    const monitor = await createMonitor({
      ...{ account, client, addresses, observations, peers, now },
      writer: createWalletClient({ account, transport }),
      ...{ chainId: CHAIN, retryMs: 1, log: pino({ level: 'silent' }) },
    })
    return { ...monitor, account, observations, file, published }
  }
  const monitors: Awaited<ReturnType<typeof open>>[] = []
  for (let index = 0; index < count; index += 1) {
    const account = privateKeyToAccount(generatePrivateKey())
    await time.setBalance({ address: account.address, value: ONE_CREDIT_WEI })
    await call(owner, contractCall(addresses, 'credit', 'mint', [account.address, BOND]))
    await call(account, contractCall(addresses, 'credit', 'approve', [contract, BOND]))
    const join_ = { address: contract, abi: monitorsAbi, chain: null, functionName: 'join', args: [BOND] } as const
    await wait(await wallet(account).writeContract(join_))
    monitors.push(await open(account, join(folder, `${index}.sqlite`)))
  }

  return {
    ...{ client, addresses, evidence, node, monitors, provider, contract },
    openGateway: () => openGateway(port),
    closeGateway,
    /** Ends a monitor as kill -9 would, and starts it again from its file. */
    async restart(index: number) {
      const old = monitors[index] as (typeof monitors)[number]
      await old.published.stop()
      peers.splice(peers.indexOf(`http://127.0.0.1:${old.published.port}`), 1)
      monitors[index] = await open(old.account, old.file)
      old.observations.close()
    },
    /** It is now this Unix time, for everybody. */
    async at(timestamp: number) {
      clock = timestamp
      await time.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
      await time.mine({ blocks: 1 })
    },
    async stop() {
      await closeGateway()
      for (const { published, observations } of monitors) {
        await published.stop()
        observations.close()
      }
      evidence.close()
      await chain.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
