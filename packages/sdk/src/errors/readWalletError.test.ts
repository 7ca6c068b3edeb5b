import {
  InternalRpcError,
  RpcRequestError,
  TransactionRejectedRpcError,
  UnauthorizedProviderError,
  UnknownRpcError,
  UserRejectedRequestError,
} from 'viem'
import { expect, it } from 'vitest'
import { toAppError } from './toAppError.ts'
import { toWalletError } from './toWalletError.ts'

const of = (code: unknown, message: string, more: object = {}) => ({ code, message, ...more })
const thrown = (code: unknown, message: string, more: object = {}) => Object.assign(new Error(message), { code, ...more })
const INTERNAL = -32603

it.each<[string, unknown]>([
  ['4001', thrown(4001, 'no')],
  ['4001 as text', of('4001', '')],
  ['4001 without a word', { code: 4001 }],
  ['a Ledger in MetaMask', thrown(INTERNAL, 'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)')],
  ['a Ledger’s number', of(INTERNAL, 'Ledger device: UNKNOWN_ERROR (0x6985)')],
  ['a Ledger’s status code', { name: 'TransportStatusError', message: 'Ledger device', statusCode: 0x6985 }],
  ['a Trezor', of(INTERNAL, 'Failure_ActionCancelled')],
  ['a cancelled action', thrown(INTERNAL, 'Action cancelled')],
  ['one l', of(-32000, 'Transaction canceled')],
  ['one word', of(INTERNAL, 'Rejected')],
  ['a text', 'User denied transaction signature.'],
  ['a bare text', 'cancelled'],
  ['ethers', of('ACTION_REJECTED', 'user rejected action', { reason: 'rejected' })],
  ['ethers without words', { code: 'ACTION_REJECTED' }],
  ['nested data', of(INTERNAL, 'Internal JSON-RPC error.', { data: { code: 4001, message: 'x' } })],
  ['nested words', of(INTERNAL, 'Internal JSON-RPC error.', { data: { message: 'MetaMask Tx Signature: User denied' } })],
  ['nested original error', of(INTERNAL, 'odd', { data: { originalError: { code: 4001 } } })],
  ['ethers’ info', of('UNKNOWN_ERROR', 'could not coalesce error', { info: { error: { code: 4001 } } })],
  ['a number in the text', of(INTERNAL, 'Request failed: {"code":4001,"message":"x"}')],
  ['a cause', new Error('outer', { cause: of(4001, '') })],
  ['WalletConnect', of(5000, 'User rejected.')],
  ['WalletConnect’s networks', of(5001, 'User disapproved requested chains')],
  ['a batch', of(5720, 'Rejected')],
  ['a closed popup', thrown(undefined, 'User closed modal')],
  ['a closed window', thrown(INTERNAL, 'Popup closed')],
  ['a passkey', Object.assign(new Error('The operation was aborted by the user.'), { name: 'NotAllowedError' })],
  ['refused by its person', of(INTERNAL, 'The user refused')],
  ['Chinese', of(INTERNAL, '用户拒绝了请求')],
  ['Chinese, short', of(INTERNAL, '已取消')],
  ['Japanese', of(INTERNAL, 'ユーザーが拒否しました')],
  ['Spanish', of(INTERNAL, 'El usuario rechazó la solicitud')],
  ['a declined request about gas', of(INTERNAL, 'User declined to pay the network fee')],
  ['viem', new UserRejectedRequestError(new Error('x'))],
  ['viem around a Ledger', new InternalRpcError(new Error('denied by the user (0x6985)'))],
  ['viem around an object', new UnknownRpcError(of(1, 'request rejected') as unknown as Error)],
  ['viem around a rejected transaction', new TransactionRejectedRpcError(new Error('rejected by user'))],
])('reads a refusal: %s', (_, error) => {
  expect(toWalletError(error).code).toBe('user_rejected')
  expect(toAppError(error).code).toBe('user_rejected')
})

it.each<[string, unknown]>([
  ...[4200, -32601, -32004, 5700, 5710, 5740, 5750, 5760].map((code): [string, unknown] => [String(code), thrown(code, 'no')]),
  ['a declined upgrade of the account', of(5750, 'The user rejected the upgrade')],
  ['ethers', of('UNSUPPORTED_OPERATION', 'x')],
  ['words', of(INTERNAL, 'eth_signTypedData_v4 is not supported by this account')],
  ['words without a number', 'Method not supported'],
  ['not implemented', of(INTERNAL, 'Not implemented')],
  ['an unknown method', of(-32600, 'The method "wallet_sendCalls" does not exist / is not available.')],
  ['WalletConnect', of(undefined, 'Missing or invalid. request() method: wallet_sendCalls')],
  ['an unauthorized method', of(4100, 'The requested account and/or method has not been authorized by the user.')],
  ['the same in viem', new UnauthorizedProviderError(thrown(4100, 'The requested method has not been authorized'))],
  ['a hardware wallet', of(INTERNAL, 'Ledger device: INS_NOT_SUPPORTED (0x6d00)')],
  ['Chinese', of(INTERNAL, '该钱包不支持此方法')],
])('reads that the wallet cannot: %s', (_, error) => expect(toWalletError(error).code).toBe('wallet_unable'))

it.each<[string, string, unknown]>([
  ['a locked wallet', 'wallet_locked', of(4100, 'The wallet is locked')],
  ['one in viem', 'wallet_locked', new UnauthorizedProviderError(thrown(4100, 'The wallet is locked'))],
  ['one in viem, without a word', 'wallet_locked', new UnauthorizedProviderError(thrown(4100, ''))],
  ['a disconnected one', 'not_connected', of(4900, '')],
  ['an unknown batch', 'transaction_unknown', of(5730, 'Unknown bundle')],
  ['a batch sent twice', 'transaction_unknown', of(5720, 'Duplicate ID')],
  ['a silent wallet', 'wallet_silent', Object.assign(new Error('x'), { name: 'WalletSilentError' })],
  ['a node', 'unknown', of(-32003, 'transaction rejected: nonce too low')],
  ['a mempool', 'unknown', of(INTERNAL, 'rejected by the mempool: replacement transaction underpriced')],
  ['a policy', 'unknown', of(INTERNAL, 'Request denied by policy')],
  ['a closed port', 'unknown', thrown('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')],
  ['nothing', 'unknown', undefined],
  ['null', 'unknown', null],
  ['an empty object', 'unknown', {}],
  ['a number', 'unknown', 7],
  ['a function', 'unknown', () => 'denied'],
  ['words of no wallet', 'unknown', of(INTERNAL, 'The key is on fire')],
])('does not call %s a refusal: %s', (_, code, error) => expect(toWalletError(error).code).toBe(code))

it('does not take the words of a node for a wallet’s', () => {
  const error = new RpcRequestError({ body: {}, url: 'http://x', error: { code: -32601, message: 'method not found' } })
  expect(toWalletError(error).code).toBe('unknown')
})

it('keeps a sentence of any error, and ends for one that contains itself', () => {
  const loop: Record<string, unknown> = { message: 'x'.repeat(100_000) }
  loop.data = loop
  expect(toWalletError(loop).message).toHaveLength(1000)
  expect(toWalletError({ data: { message: 'inside' } }).message).toBe('inside')
  expect(toWalletError({}).message).toBe('The wallet gave no reason')
})
