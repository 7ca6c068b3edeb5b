import { describe, expect, it } from 'vitest'
import { consoleFunctions, findFunction } from './consoleFunctions.ts'
import { parseArgs } from './parseArgs.ts'
import { prefillArgs } from './prefill.ts'

const inputsOf = (contract: string, name: string) => {
  const found = findFunction(contract, name)
  if (!found) throw new Error(`${contract}.${name} is no function`)
  return found.inputs
}
const codes = (contract: string, name: string, value: unknown) => {
  const result = parseArgs(inputsOf(contract, name), typeof value === 'string' ? value : JSON.stringify(value))
  return 'issues' in result ? result.issues.map((issue) => [issue.path, issue.problem.code]) : result.args
}
const user = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it.each(consoleFunctions.map((entry) => [`${entry.contract}.${entry.name}`, entry] as const))(
  'prefills %s with valid parameters',
  (_, entry) => expect(parseArgs(entry.inputs, prefillArgs(entry, { account: user }))).toHaveProperty('args'),
)

describe('parsing parameters', () => {
  it('returns the types that viem takes', () => {
    expect(codes('registry', 'get_node', { cp: user, id: '7' })).toEqual([user, 7n])
    expect(codes('registry', 'get_node', { cp: user.toLowerCase(), id: 7 })).toEqual([user.toLowerCase(), 7n])
    expect(codes('market', 'feeOrder', { provider: user, nodeId: '0x10', duration: '2592000' })).toEqual([user, 16n, 2_592_000])
    expect(codes('market', 'proSettleMany', { ids: ['1', 2] })).toEqual([[1n, 2n]])
  })
  it('locates everything that is wrong', () => {
    expect(codes('registry', 'register', { input: { name: 5, ip: '', domain: '', port: 65_536, more: 1 } })).toEqual([
      ['input.more', 'unknown'],
      ['input.name', 'not_text'],
      ['input.port', 'out_of_range'],
    ])
    expect(codes('market', 'proSettleMany', { ids: ['1', '-1', 'x'] })).toEqual([
      ['ids[1]', 'out_of_range'],
      ['ids[2]', 'not_integer'],
    ])
    expect(codes('registry', 'get_node', {})).toEqual([
      ['cp', 'missing'],
      ['id', 'missing'],
    ])
  })
  it('never rounds: requires a string beyond 2^53', () => {
    expect(
      codes('credit', 'transfer', '{"to":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","value":10000000000000000000000}'),
    ).toEqual([['value', 'unsafe_number']])
    expect(codes('credit', 'transfer', { to: user, value: '10000000000000000000001' })).toEqual([
      user,
      10_000_000_000_000_000_000_001n,
    ])
    expect(codes('credit', 'transfer', { to: user, value: 1.5 })).toEqual([['value', 'not_integer']])
  })
  it('distinguishes a bad checksum from an invalid address', () => {
    expect(codes('credit', 'balanceOf', { account: '0x12' })).toEqual([['account', 'not_address']])
    expect(codes('credit', 'balanceOf', { account: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' })).toEqual([
      ['account', 'bad_checksum'],
    ])
  })
  it('locates a JSON error', () => {
    const result = parseArgs(inputsOf('credit', 'balanceOf'), '{\n  "owner": oops\n}')
    expect(result).toMatchObject({ issues: [{ problem: { code: 'json', line: 2 } }] })
    expect(codes('credit', 'balanceOf', '[]')).toEqual([['', 'not_object']])
  })
  it('accepts an empty text as no parameters', () => expect(codes('access', 'CurrentVer', '')).toEqual([]))
})
