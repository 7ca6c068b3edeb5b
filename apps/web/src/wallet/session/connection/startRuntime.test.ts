import type { ConfigAnswer } from '@rackfair/protocol/config'
import { expect, test } from 'vitest'
import { CATALOGUE } from '../wallets/catalogue.ts'
import { startRuntime } from './startRuntime.ts'

const INSTALLATION: ConfigAnswer = {
  chainId: 2985,
  chainName: 'Dev',
  rpcUrl: 'http://127.0.0.1:1',
  explorerUrl: null,
  access: '0x0000000000000000000000000000000000000001',
  faucet: false,
  creditLink: null,
  walletConnectProjectId: '',
  walletConnectRelayUrl: 'ws://127.0.0.1:1',
  mainnetRpcUrl: null,
  contact: null,
  social: [],
  version: '0.1.0',
}
const WALLET = { id: 'w', name: 'W', iconBackground: '#000', iconAccent: 'red' }

test.each([
  ['No wallets provided', []],
  ['No wallets provided for group: Other', [...CATALOGUE, { groupName: 'Other', wallets: [] }]],
  ['Property `iconAccent` is not a hex value for wallet: W', [{ groupName: 'Popular', wallets: [WALLET] }]],
] as const)('refuses invalid settings: %s', async (problem, catalogue) => {
  await expect(startRuntime(INSTALLATION, catalogue)).rejects.toThrow(problem)
})

test('starts with the catalogue, and ignores an empty project id', async () => {
  const { wagmi } = await startRuntime(INSTALLATION)
  expect(wagmi.connectors.map(({ id }) => id)).toEqual(['development'])
})
