import { formatAgentChallenge, formatHeartbeat, MONTH_SECONDS, ONE_CREDIT_WEI } from '@rackfair/core'
import type { ConfigAnswer, PlatformMessage } from '@rackfair/core/wire'
import {
  contractCall,
  createdOrderId,
  type MarketAddresses,
  quoteOrder,
  readAddresses,
  readMarket,
  sendCall,
  waitForReceipt,
} from '@rackfair/sdk'
import type { RunningMarket } from '@rackfair/testkit'
import { developmentAccounts } from '@rackfair/testkit'
import { type Address, createPublicClient, createWalletClient, encodeAbiParameters, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const HEARTBEAT_MS = 20_000

/**
 * A provider that speaks the chain's and the relay's own language but runs no containers, for stories about buying:
 * registered, pledged, with nodes, Online, and starting orders when the test says so.
 */
export async function startTestProvider(market: RunningMarket, name: string, nodes = 3) {
  const config = (await (await fetch(`${market.url}/v1/config`)).json()) as ConfigAnswer
  const account = privateKeyToAccount(generatePrivateKey())
  const reader = createPublicClient({ transport: http(market.rpcUrl), pollingInterval: 200, cacheTime: 0 })
  const writer = createWalletClient({ account, transport: http(market.rpcUrl) })
  const funder = createWalletClient({ account: developmentAccounts().faucet, transport: http(market.rpcUrl) })
  const addresses: MarketAddresses = await readAddresses(reader, config.access as Address)
  const send = async (call: Parameters<typeof sendCall>[2]) => waitForReceipt(reader, await sendCall(reader, writer, call))

  await waitForReceipt(reader, await funder.sendTransaction({ to: account.address, value: parseEther('5'), chain: null }))
  const pledge = 100n * ONE_CREDIT_WEI
  await waitForReceipt(
    reader,
    await sendCall(reader, funder, contractCall(addresses, 'credit', 'transfer', [account.address, pledge])),
  )
  await send(contractCall(addresses, 'registry', 'register', [{ name, ip: '127.0.0.1', domain: '', port: 7070 }]))
  const node = {
    cpuModel: 'EPYC 7402',
    gpuModel: 'RTX 4090',
    nCPU: 4,
    core: 8,
    nGPU: 1,
    nMEM: 64,
    nDISK: 1500,
    pCPU: parseEther('2'),
    pGPU: parseEther('133'),
    pMEM: parseEther('0.125'),
    pDISK: parseEther('0.006'),
  }
  await send(contractCall(addresses, 'credit', 'approve', [addresses.pledge, pledge]))
  let { blockNumber } = await send(contractCall(addresses, 'pledge', 'pledge', [addresses.credit, pledge]))
  for (let count = 0; count < nodes; count++)
    blockNumber = (await send(contractCall(addresses, 'registry', 'add_node', [node]))).blockNumber
  await fetch(`${market.url}/v1/cp/${account.address}?minBlock=${blockNumber}`)
  const line = await openLine(market, account, config.chainId)

  return {
    address: account.address.toLowerCase(),
    account: account.address,
    addresses,
    reader,
    node,
    /** A call as the provider, for example to start an order or to change a price. */
    send,
    /** Somebody else, without a browser, buys a node. */
    sellToOther: async (nodeId: bigint) => {
      const buyer = createWalletClient({ account: developmentAccounts().otherUser, transport: http(market.rpcUrl) })
      const address = buyer.account.address
      const { feeWei, rev } = await quoteOrder(reader, addresses, account.address, nodeId, MONTH_SECONDS)
      const pay = contractCall(addresses, 'credit', 'transfer', [address, feeWei])
      await waitForReceipt(reader, await sendCall(reader, funder, pay))
      const approve = contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei])
      await waitForReceipt(reader, await sendCall(reader, buyer, approve))
      const input = { provider: account.address, nodeId, rev, duration: MONTH_SECONDS, maxFee: feeWei, app: '' }
      const create = contractCall(addresses, 'market', 'createOrder', [input])
      return createdOrderId(await waitForReceipt(reader, await sendCall(reader, buyer, create))) ?? 0n
    },
    /** A reward voucher for an account, signed by the validator, with money for it in the pool. */
    signVoucher: async (to: Address, amountWei: bigint) => {
      for (const call of [
        contractCall(addresses, 'credit', 'approve', [addresses.market, amountWei]),
        contractCall(addresses, 'market', 'fundRewards', [amountWei]),
      ])
        await waitForReceipt(reader, await sendCall(reader, funder, call))
      const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600)
      const nonce = await readMarket(reader, addresses, 'market', 'nonces', [to])
      const signature = await developmentAccounts().validator.signTypedData({
        domain: { name: 'Rackfair Market', version: '1', chainId: config.chainId, verifyingContract: addresses.market },
        types: {
          Withdraw: [
            { name: 'account', type: 'address' },
            { name: 'amount', type: 'uint256' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'Withdraw',
        message: { account: to, amount: amountWei, nonce, deadline },
      })
      return encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [deadline, signature])
    },
    stop: () => line.close(),
  }
}

type Account = ReturnType<typeof privateKeyToAccount>

/** The agent's side of the relay: proves its key, then says that it is there. */
function openLine(market: RunningMarket, account: Account, chainId: number): Promise<WebSocket> {
  const provider = account.address
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${market.url.replace('http', 'ws')}/v1/relay`)
    const say = (message: object) => socket.send(JSON.stringify(message))
    const beat = async () => {
      const time = Math.floor(Date.now() / 1000)
      const signature = await account.signMessage({ message: formatHeartbeat({ chainId, provider, time }) })
      if (socket.readyState === WebSocket.OPEN) say({ type: 'heartbeat', time, signature })
    }
    socket.onerror = () => reject(new Error('the relay did not answer'))
    socket.onmessage = async ({ data }) => {
      const message = JSON.parse(String(data)) as PlatformMessage
      if (message.type === 'challenge') {
        const text = formatAgentChallenge({ chainId, provider, challenge: message.challenge })
        const signature = await account.signMessage({ message: text })
        say({ type: 'hello', chainId, provider, version: 'test' })
        say({ type: 'prove', operator: provider, signature })
      }
      if (message.type === 'deploy') {
        const refusal = { status: 503, code: 'image_missing', message: 'This provider runs no containers' }
        say({ type: 'answer', requestId: message.requestId, ...refusal })
      }
      if (message.type === 'refused') reject(new Error(message.message))
      if (message.type === 'welcome') {
        const timer = setInterval(() => void beat(), HEARTBEAT_MS)
        socket.onclose = () => clearInterval(timer)
        resolve(socket)
      }
    }
  })
}
