import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
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
import type { setupVerify } from './setupVerify.ts'
import { MONTH_SECONDS } from './testBuyer.ts'

/** The CREATE2 deployer (calldata: salt, then code); it is on nearly every chain, and on a fresh anvil. */
export const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT = toHex(7, { size: 32 })

/** Smart accounts on the chain of a test market that buy orders and change their owners. */
export function smartAccountsOf(market: Awaited<ReturnType<typeof setupVerify>>) {
  const control = () => createTestClient({ mode: 'anvil', transport: http(market.chain.rpcUrl) })
  const setOwner = (address: Address, owner: Address) => control().setCode({ address, bytecode: runtimeCode(owner) })
  /** Sends from an address without a known key, as an account's own code would. */
  const writerOf = async (address: Address) => {
    await control().impersonateAccount({ address })
    await control().setBalance({ address, value: parseEther('1') })
    return createWalletClient({ account: address, transport: http(market.chain.rpcUrl) })
  }
  const buyAs = async (wallet: Address, nodeId: bigint): Promise<bigint> => {
    const { buyer, provider } = market
    const { addresses, client } = buyer
    await buyer.fund(wallet, 100n * ONE_CREDIT_WEI)
    const { feeWei, rev, conditions } = await quoteOrder(client, addresses, provider, nodeId, MONTH_SECONDS)
    const writer = await writerOf(wallet)
    const order = { provider, nodeId, rev, duration: MONTH_SECONDS, maxFee: feeWei, conditions, app: '' }
    for (const call of [
      contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]),
      contractCall(addresses, 'market', 'createOrder', [order]),
    ])
      await waitForReceipt(client, await sendCall(client, writer, call))
    // Reset the nonce: no factory could deploy the account at an address that was used.
    await control().setNonce({ address: wallet, nonce: 0 })
    const node = await market.context.chain.node(nodeId)
    return node.orderId
  }
  return {
    setOwner,
    buyAs,
    writerOf,
    /** The counterfactual address of this owner's account. */
    addressOf: (owner: Address) =>
      getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt: SALT, bytecode: creation(owner) }),
    /** The factory call that deploys it. */
    makes: (owner: Address) => concatHex([SALT, creation(owner)]),
    /** A signature of an account that is not deployed yet (ERC-6492). */
    wrap: (owner: Address, signature: Hex) =>
      serializeErc6492Signature({ address: FACTORY, data: concatHex([SALT, creation(owner)]), signature }),
  }
}

/**
 * A minimal ERC-1271 account: recovers the signer of (hash, v, r, s) from a 65-byte signature with the precompile and compares it with its
 * owner.
 */
export function runtimeCode(owner: Address): Hex {
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

/** Init code that deploys `runtimeCode`. */
function creation(owner: Address): Hex {
  const code = runtimeCode(owner)
  return concatHex(['0x61', numberToHex(size(code), { size: 2 }), '0x80600c6000396000f3', code])
}
