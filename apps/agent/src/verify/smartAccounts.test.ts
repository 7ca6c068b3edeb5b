import { formatDeployText, ONE_CREDIT_WEI } from '@rackfair/core'
import { contractCall, quoteOrder, sendCall, waitForReceipt } from '@rackfair/sdk'
import {
  type Address,
  concatHex,
  createTestClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  numberToHex,
  parseEther,
  serializeErc6492Signature,
  size,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupVerify } from '../testing/setupVerify.ts'
import { MONTH_SECONDS } from '../testing/testBuyer.ts'

const NGINX = 2
/** Deploys what it is called with (salt, then code) by CREATE2; it is on nearly every chain, and on a fresh anvil. */
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT = toHex(7, { size: 32 })

describe('a deploy request of a smart account, against a real chain', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>

  beforeAll(async () => {
    market = await setupVerify()
  })
  afterAll(() => market?.close())

  it('is believed as long as its owner of today signed it (ERC-1271)', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = '0x00000000000000000000000000000000000a11ce'
    await setOwner(wallet, user.address)
    const orderId = await buyAs(wallet, 1n)
    const request = await sign(wallet, orderId, user)
    expect(await market.code(request)).toBe('accepted')
    expect(await market.code(await sign(wallet, orderId, otherUser))).toBe('wrong_signer')
    await setOwner(wallet, otherUser.address)
    expect(await market.code(request)).toBe('wrong_signer')
    expect(await market.code(await sign(wallet, orderId, otherUser))).toBe('accepted')
  })

  it('is believed before the account is deployed, if its factory would make an account of the signer (ERC-6492)', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt: SALT, bytecode: creation(user.address) })
    const orderId = await buyAs(wallet, 2n)
    const wrapped = async (signer: typeof user, owner: Address) => {
      const { text, signature } = await sign(wallet, orderId, signer)
      const data = concatHex([SALT, creation(owner)])
      return { text, signature: serializeErc6492Signature({ address: FACTORY, data, signature }) }
    }
    expect(await market.buyer.client.getCode({ address: wallet })).toBeUndefined()
    const request = await wrapped(user, user.address)
    expect(await market.code(request)).toBe('accepted')
    expect(await market.code(await sign(wallet, orderId, user))).toBe('wrong_signer')
    expect(await market.code(await wrapped(otherUser, user.address))).toBe('wrong_signer')
    // A factory that would make the stranger's account makes it at another address.
    expect(await market.code(await wrapped(otherUser, otherUser.address))).toBe('wrong_signer')
    expect(
      await market.code({ ...request, signature: `${request.signature.slice(0, 200)}${request.signature.slice(202)}` }),
    ).toBe('wrong_signer')
    expect(await market.buyer.client.getCode({ address: wallet })).toBeUndefined()
    await (await writerOf(user.address)).sendTransaction({
      to: FACTORY,
      data: concatHex([SALT, creation(user.address)]),
      chain: null,
    })
    await expect.poll(() => market.buyer.client.getCode({ address: wallet })).toBe(runtimeCode(user.address))
    expect(await market.code(request)).toBe('accepted')
    expect(await market.code(await sign(wallet, orderId, user))).toBe('accepted')
  })

  it('is not called a liar by a chain that does not answer', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = '0x00000000000000000000000000000000000a11ce'
    await setOwner(wallet, user.address)
    const { text, signature } = await sign(wallet, 1n, user)
    expect(await market.context.chain.signedBy(wallet, text, signature)).toBe(true)
    await market.chain.stop()
    expect(await market.code({ text, signature })).toBe('chain_unreachable')
    expect(await market.code(await sign(wallet, 1n, otherUser))).toBe('chain_unreachable')
  })

  const control = () => createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  const setOwner = (address: Address, owner: Address) => control().setCode({ address, bytecode: runtimeCode(owner) })
  /** Sends as an address whose key nobody has, as an account's own code would. */
  const writerOf = async (address: Address) => {
    await control().impersonateAccount({ address })
    await control().setBalance({ address, value: parseEther('1') })
    return createWalletClient({ account: address, transport: http(market.chain.rpcUrl) })
  }
  const buyAs = async (wallet: Address, nodeId: bigint): Promise<bigint> => {
    const { buyer, provider } = market
    const { addresses, client } = buyer
    await buyer.fund(wallet, 100n * ONE_CREDIT_WEI)
    const { feeWei, rev } = await quoteOrder(client, addresses, provider, nodeId, MONTH_SECONDS)
    const writer = await writerOf(wallet)
    const order = { provider, nodeId, rev, duration: MONTH_SECONDS, maxFee: feeWei, app: '' }
    for (const call of [
      contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]),
      contractCall(addresses, 'market', 'createOrder', [order]),
    ])
      await waitForReceipt(client, await sendCall(client, writer, call))
    // What nobody has signed for yet must be as it was, or no factory could make the account there.
    await control().setNonce({ address: wallet, nonce: 0 })
    const node = await market.context.chain.node(nodeId)
    return node.orderId
  }
  const sign = async (wallet: Address, orderId: bigint, signer: { signMessage(of: { message: string }): Promise<Hex> }) => {
    const { provider, chain } = market
    const time = Math.floor(Date.now() / 1000)
    const text = formatDeployText({ orderId, deployId: NGINX, time, wallet, provider, chainId: chain.chainId })
    return { text, signature: await signer.signMessage({ message: text }) }
  }
})

/** A minimal ERC-1271 account: recovers (hash, v, r, s) of a 65-byte signature through the precompile and compares with its owner. */
function runtimeCode(owner: Address): Hex {
  return concatHex([
    '0x600435600052', // mem[0] = hash
    '0x60a43560f81c602052', // mem[32] = v
    '0x606435604052', // mem[64] = r
    '0x608435606052', // mem[96] = s
    '0x6020608060806000600161fffffa50', // ecrecover(0..128) -> mem[128]
    '0x73',
    owner.toLowerCase() as Hex,
    '0x60805114', // equal?
    '0x631626ba7e60e01b02', // magic or 0
    '0x60005260206000f3',
  ])
}

/** Code that leaves `runtimeCode` at its address. */
function creation(owner: Address): Hex {
  const code = runtimeCode(owner)
  return concatHex(['0x61', numberToHex(size(code), { size: 2 }), '0x80600c6000396000f3', code])
}
