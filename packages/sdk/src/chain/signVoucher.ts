import { type Address, encodeAbiParameters, type Hex, type LocalAccount, parseAbiParameters } from 'viem'

/** A reward for one account, payable once. */
export interface Voucher {
  account: Address
  /** Wei of Credit. */
  amount: bigint
  /** `nonces(account)` of the Market. */
  nonce: bigint
  /** Unix seconds. */
  deadline: bigint
}

const TYPES = {
  Withdraw: [
    { name: 'account', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const FOR_MONITORS = parseAbiParameters('address, uint256, uint256, uint256, bytes')
const CODE = parseAbiParameters('uint256, bytes')

/**
 * The code of a voucher, as `Market.withdraw` takes it, signed by the rewarder of the market's `Monitors`.
 * @example await signVoucher(rewarder, { chainId, market }, { account, amount: 10n ** 18n, nonce: 0n, deadline })
 */
export async function signVoucher(
  rewarder: Pick<LocalAccount, 'signTypedData'>,
  { chainId, market }: { chainId: number; market: Address },
  voucher: Voucher,
): Promise<Hex> {
  const domain = { name: 'Rackfair Market', version: '1', chainId, verifyingContract: market } as const
  const signature = await rewarder.signTypedData({ domain, types: TYPES, primaryType: 'Withdraw', message: { ...voucher } })
  const { account, amount, nonce, deadline } = voucher
  // The validator that verifies the signature is a contract: it needs the signed values too.
  return encodeAbiParameters(CODE, [deadline, encodeAbiParameters(FOR_MONITORS, [account, amount, nonce, deadline, signature])])
}
