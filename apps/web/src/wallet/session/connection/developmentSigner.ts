import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { type Address, createClient, defineChain, type Hex, hexToBigInt, http, numberToHex, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sendTransaction } from 'viem/actions'

export const makeKey = generatePrivateKey

type Request = { method: string; params?: readonly unknown[] }
type Transaction = { to?: Address; data?: Hex; value?: Hex; gas?: Hex }

/** An EIP-1193 provider around one key. It signs by itself and passes everything else on to the chain. */
export function createDevelopmentProvider(key: Hex, rpcUrl: string) {
  const account = privateKeyToAccount(key)
  const chain = defineChain({
    id: DEVELOPMENT_CHAIN_ID,
    name: 'Rackfair Dev',
    nativeCurrency: { name: 'Rack', symbol: 'RACK', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createClient({ account, chain, transport: http(rpcUrl) })

  const request = async ({ method, params = [] }: Request): Promise<unknown> => {
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [account.address]
      case 'eth_chainId':
        return numberToHex(DEVELOPMENT_CHAIN_ID)
      case 'personal_sign':
        return account.signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_signTypedData_v4': {
        const data = typeof params[1] === 'string' ? JSON.parse(params[1]) : params[1]
        return account.signTypedData(data as TypedDataDefinition)
      }
      case 'eth_sendTransaction': {
        const { to, data, value, gas } = params[0] as Transaction
        return sendTransaction(client, {
          ...(to === undefined ? {} : { to }),
          ...(data === undefined ? {} : { data }),
          ...(value === undefined ? {} : { value: hexToBigInt(value) }),
          ...(gas === undefined ? {} : { gas: hexToBigInt(gas) }),
        } as never)
      }
      case 'wallet_getCapabilities':
      case 'wallet_sendCalls':
        throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
      default:
        return client.request({ method, params } as never)
    }
  }
  return { address: account.address, request, on: () => undefined, removeListener: () => undefined }
}
