import { formatDeployText } from '@rackfair/protocol/deployText'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupVerify } from '../../testing/setupVerify.ts'
import { FACTORY, runtimeCode, smartAccountsOf } from '../../testing/smartAccounts.ts'

const NGINX = 2

describe('a deploy request of a smart account, against a real chain', () => {
  let market: Awaited<ReturnType<typeof setupVerify>>

  let accounts: ReturnType<typeof smartAccountsOf>
  beforeAll(async () => {
    market = await setupVerify()
    accounts = smartAccountsOf(market)
  })
  afterAll(() => market?.close())

  it('is accepted as long as the account’s current owner signed it (ERC-1271)', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = '0x00000000000000000000000000000000000a11ce'
    await accounts.setOwner(wallet, user.address)
    const orderId = await accounts.buyAs(wallet, 1n)
    const request = await sign(wallet, orderId, user)
    expect(await market.code(request)).toBe('accepted')
    expect(await market.code(await sign(wallet, orderId, otherUser))).toBe('wrong_signer')
    await accounts.setOwner(wallet, otherUser.address)
    expect(await market.code(request)).toBe('wrong_signer')
    expect(await market.code(await sign(wallet, orderId, otherUser))).toBe('accepted')
  })

  it('is accepted for an undeployed account if its factory would create one for the signer (ERC-6492)', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = accounts.addressOf(user.address)
    const orderId = await accounts.buyAs(wallet, 2n)
    const wrapped = async (signer: typeof user, owner: Address) => {
      const { text, signature } = await sign(wallet, orderId, signer)
      return { text, signature: accounts.wrap(owner, signature) }
    }
    expect(await market.buyer.client.getCode({ address: wallet })).toBeUndefined()
    const request = await wrapped(user, user.address)
    expect(await market.code(request)).toBe('accepted')
    expect(await market.code(await sign(wallet, orderId, user))).toBe('wrong_signer')
    expect(await market.code(await wrapped(otherUser, user.address))).toBe('wrong_signer')
    // A factory for the stranger's account would deploy it at another address.
    expect(await market.code(await wrapped(otherUser, otherUser.address))).toBe('wrong_signer')
    expect(
      await market.code({ ...request, signature: `${request.signature.slice(0, 200)}${request.signature.slice(202)}` }),
    ).toBe('wrong_signer')
    expect(await market.buyer.client.getCode({ address: wallet })).toBeUndefined()
    await (await accounts.writerOf(user.address)).sendTransaction({
      to: FACTORY,
      data: accounts.makes(user.address),
      chain: null,
    })
    await expect.poll(() => market.buyer.client.getCode({ address: wallet })).toBe(runtimeCode(user.address))
    expect(await market.code(request)).toBe('accepted')
    expect(await market.code(await sign(wallet, orderId, user))).toBe('accepted')
  })

  it('is not called invalid when the chain does not respond', async () => {
    const { user, otherUser } = market.chain.accounts
    const wallet = '0x00000000000000000000000000000000000a11ce'
    await accounts.setOwner(wallet, user.address)
    const { text, signature } = await sign(wallet, 1n, user)
    expect(await market.context.chain.signedBy(wallet, text, signature)).toBe(true)
    await market.chain.stop()
    expect(await market.code({ text, signature })).toBe('chain_unreachable')
    expect(await market.code(await sign(wallet, 1n, otherUser))).toBe('chain_unreachable')
  })

  const sign = async (wallet: Address, orderId: bigint, signer: { signMessage(of: { message: string }): Promise<Hex> }) => {
    const { provider, chain } = market
    const time = Math.floor(Date.now() / 1000)
    const text = formatDeployText({ orderId, deployId: NGINX, time, wallet, provider, chainId: chain.chainId })
    return { text, signature: await signer.signMessage({ message: text }) }
  }
})
