import { expect, test } from 'vitest'
import { envText, formatDeployText, parseDeployText, parseEnvText } from './deployText.ts'

const salt = '0f'.repeat(32)

test('sorts values by name, upper case before lower case', () => {
  const sorted = `["${salt}",[["A","1"],["B","2"],["C","3"],["a","4"]]]`
  for (const names of ['ABCa', 'aCBA', 'BaAC', 'CABa', 'aABC']) {
    const values: Record<string, string> = { A: '1', B: '2', C: '3', a: '4' }
    expect(envText({ salt, env: Object.fromEntries([...names].map((name) => [name, values[name] as string])) })).toBe(sorted)
  }
  expect(parseEnvText(sorted)).toEqual({ salt, env: { A: '1', B: '2', C: '3', a: '4' } })
})

test.each([
  ['one value of two is no text', `["${salt}",[["A","1"],["B",2]]]`],
  ['a value is a list', `["${salt}",[["A",["1"]]]]`],
  ['the salt is longer than 64 digits', `["${salt}0",[]]`],
  ['the salt is in capitals', `["${salt.toUpperCase()}",[]]`],
  ['there is something before it', ` ["${salt}",[]]`],
  ['there is a third part', `["${salt}",[],[]]`],
  ['it is no JSON', `["${salt}",[]`],
])('refuses environment values where %s', (_, text) => expect(parseEnvText(text)).toBeUndefined())

test('accepts a salt without values', () => {
  expect(envText({ salt, env: {} })).toBe(`["${salt}",[]]`)
  expect(parseEnvText(`["${salt}",[]]`)).toEqual({ salt, env: {} })
})

test('omits the hash fields of a request without hashes', () => {
  const text = formatDeployText({
    ...{ orderId: 12n, deployId: 2, time: 1_795_219_200, chainId: 2985 },
    wallet: `0x${'aa'.repeat(20)}`,
    provider: `0x${'bb'.repeat(20)}`,
  })
  expect(Object.keys(parseDeployText(text) ?? {})).toEqual(['orderId', 'deployId', 'time', 'wallet', 'provider', 'chainId'])
})

test('writes hashes in lower case, as they are parsed', () => {
  const hash = `0x${'AB'.repeat(32)}`
  const request = {
    orderId: 12n,
    deployId: 999,
    time: 1,
    chainId: 1,
    wallet: `0x${'AA'.repeat(20)}`,
    provider: `0x${'BB'.repeat(20)}`,
  }
  const text = formatDeployText({ ...request, envHash: hash, appHash: hash })
  expect(parseDeployText(text)).toMatchObject({ envHash: hash.toLowerCase(), appHash: hash.toLowerCase() })
})
