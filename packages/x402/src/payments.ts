import { AppError } from '@rackfair/rules/errors/AppError'
import { type Gate, type Renter, readGate } from '@rackfair/sdk'
import { x402Facilitator } from '@x402/core/facilitator'
import {
  type FacilitatorClient,
  type HTTPAdapter,
  type HTTPProcessResult,
  x402HTTPResourceServer,
  x402ResourceServer,
} from '@x402/core/server'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as ExactFacilitator } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { type Account, type Address, createClient, type Hex, parseAbi, publicActions, walletActions } from 'viem'
import { readContract } from 'viem/actions'

export interface Payments {
  gate: Gate
  /** Asks for so many units of the gate's token, to a purse, and takes what the request brings for it. */
  process(request: HTTPAdapter, purse: Address, units: bigint): Promise<HTTPProcessResult>
  /** Whether the token has taken a payment before, by whoever brought it. */
  isTaken(from: Address, nonce: Hex): Promise<boolean>
}

/** Time in which a signed payment has to arrive. */
const PAYMENT_SECONDS = 300
export const PATH = '/x402/run'
const TOKEN = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function authorizationState(address,bytes32) view returns (bool)',
])

/**
 * Payments by x402, settled with the account of `renter`, which pays their gas and never holds what is paid.
 * @throws AppError `bad_request` where the gate's token moves by no signed authorization (EIP-3009), `rpc_unreachable`
 */
export async function createPayments(renter: Renter): Promise<Payments> {
  const { client, chainId } = renter
  const { account } = renter.wallet
  const gate = await readGate(client, renter.addresses)
  const token = { address: gate.usdt, abi: TOKEN } as const
  const [name, version] = await Promise.all([
    readContract(client, { ...token, functionName: 'name' }),
    readContract(client, { ...token, functionName: 'version' }),
    readContract(client, { ...token, functionName: 'authorizationState', args: [account.address, `0x${'0'.repeat(64)}`] }),
  ]).catch((cause: unknown) => {
    throw new AppError('bad_request', `the token ${gate.usdt} of this market moves by no signed authorization (EIP-3009)`, {
      cause,
    })
  })
  const network = `eip155:${chainId}` as const
  const facilitator = new x402Facilitator().register(network, new ExactFacilitator(signerOf(renter, account)))
  const own = {
    verify: (payment, wanted) => facilitator.verify(payment, wanted),
    settle: (payment, wanted) => facilitator.settle(payment, wanted),
    getSupported: async () => facilitator.getSupported(),
  } as FacilitatorClient
  const server = new x402ResourceServer(own).register(network, new ExactEvmScheme())
  await server.initialize()
  return {
    gate,
    isTaken: (from, nonce) => readContract(client, { ...token, functionName: 'authorizationState', args: [from, nonce] }),
    process(adapter, purse, units) {
      const price = { asset: gate.usdt, amount: String(units), extra: { name, version } }
      const door = new x402HTTPResourceServer(server, {
        [`POST ${PATH}`]: {
          // The machine is paid with what has arrived, so the payment comes first.
          accepts: {
            scheme: 'exact',
            network,
            payTo: purse,
            price,
            maxTimeoutSeconds: PAYMENT_SECONDS,
            extra: { paymentFlow: 'upfront' },
          },
          description: 'Runs a command on a rented machine. What it does not use stays in your own purse.',
          mimeType: 'application/json',
        },
      })
      const paymentHeader = adapter.getHeader('payment-signature') ?? adapter.getHeader('x-payment')
      return door.processHTTPRequest({ adapter, path: PATH, method: 'POST', ...(paymentHeader ? { paymentHeader } : {}) })
    },
  }
}

function signerOf({ client }: Renter, account: Account) {
  const all = createClient({
    account,
    transport: () => client.transport as never,
    pollingInterval: client.pollingInterval,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  return toFacilitatorEvmSigner({
    ...{ address: account.address, readContract: all.readContract as never, verifyTypedData: all.verifyTypedData as never },
    writeContract: (args) => all.writeContract({ ...args, chain: null } as never),
    sendTransaction: (args) => all.sendTransaction({ ...args, chain: null } as never),
    waitForTransactionReceipt: all.waitForTransactionReceipt,
    getCode: all.getCode,
  })
}
