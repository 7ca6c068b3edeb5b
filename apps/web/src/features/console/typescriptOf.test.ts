import { expect, it } from 'vitest'
import { findFunction } from './consoleFunctions.ts'
import { typescriptOf } from './typescriptOf.ts'

const facts = { rpcUrl: 'http://127.0.0.1:8545', access: '0xacce55' }

it('generates a program for a read', () => {
  const entry = findFunction('registry', 'get_node')
  if (!entry) throw new Error('the function exists')
  const program = typescriptOf(entry, { ...facts, args: ['0xaa', 1n] })
  expect(program).toContain("readMarket(client, addresses, 'registry', 'get_node', ['0xaa', 1n])")
  expect(program).toContain("readAddresses(client, '0xacce55')")
})

it('generates a program for a write with its struct, and escapes strings', () => {
  const entry = findFunction('registry', 'register')
  if (!entry) throw new Error('the function exists')
  const program = typescriptOf(entry, { ...facts, args: [{ name: "Ada's\n", ip: '127.0.0.1', domain: '', port: 7070 }] })
  expect(program).toContain(`contractCall(addresses, 'registry', 'register', [{
  name: 'Ada\\'s\\n',
  ip: '127.0.0.1',
  domain: '',
  port: 7070,
}])`)
})
