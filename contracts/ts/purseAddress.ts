import { type Address, concatHex, getContractAddress, toHex } from 'viem'

const SALT = toHex(0, { size: 32 })

/**
 * The address of an owner's purse, whether it exists yet or not. It needs no chain: a purse is a proxy to the code that its factory
 * deployed first, with its owner appended.
 *
 * @example purseAddress(deployment.purseFactory, account.address)
 */
export function purseAddress(factory: Address, owner: Address): Address {
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const bytecode = concatHex([
    '0x6100413d81600a3d39f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    owner,
  ])
  return getContractAddress({ opcode: 'CREATE2', from: factory, salt: SALT, bytecode })
}
