import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type DeployText,
  envText,
  formatDeployText,
  MAX_DEPLOY_TEXT_LENGTH,
  parseDeployText,
  parseEnvText,
} from './deployText.ts'

const request: DeployText = {
  orderId: 12n,
  deployId: 2,
  time: 1_795_219_200,
  wallet: '0x00000000000000000000000000000000000000aA',
  provider: '0x00000000000000000000000000000000000000Bb',
  chainId: 2985,
}
const text =
  'order: 12\ndeploy: 2\ntime: 1795219200\nwallet: 0x00000000000000000000000000000000000000aa\nprovider: 0x00000000000000000000000000000000000000bb\nchain: 2985'

test('has exactly this format', () => {
  expect(formatDeployText(request)).toBe(text)
  expect(parseDeployText(text)).toEqual({
    ...request,
    wallet: request.wallet.toLowerCase(),
    provider: request.provider.toLowerCase(),
  })
})

test('adds the hash of the environment values as a seventh line', () => {
  const envHash = `0x${'ab'.repeat(32)}`
  expect(formatDeployText({ ...request, envHash })).toBe(`${text}\nenv: ${envHash}`)
  expect(parseDeployText(`${text}\nenv: ${envHash}`)?.envHash).toBe(envHash)
})

const own = text.replace('deploy: 2', 'deploy: 999')
const appHash = `0x${'cd'.repeat(32)}`

test('adds the hash of an own application as the last line, after that of its values', () => {
  const envHash = `0x${'ab'.repeat(32)}`
  expect(formatDeployText({ ...request, deployId: 999, appHash })).toBe(`${own}\napp: ${appHash}`)
  expect(parseDeployText(`${own}\napp: ${appHash}`)).toMatchObject({ deployId: 999, appHash })
  const both = formatDeployText({ ...request, deployId: 999, appHash, envHash })
  expect(both).toBe(`${own}\nenv: ${envHash}\napp: ${appHash}`)
  expect(parseDeployText(both)).toMatchObject({ envHash, appHash })
})

test('adds the hash of its name behind all others', () => {
  const onceHash = `0x${'ef'.repeat(32)}`
  expect(formatDeployText({ ...request, onceHash: onceHash.toUpperCase().replace('0X', '0x') })).toBe(
    `${text}\nonce: ${onceHash}`,
  )
  expect(parseDeployText(`${text}\nonce: ${onceHash}`)?.onceHash).toBe(onceHash)
  const all = `${own}\nenv: ${appHash}\napp: ${appHash}\nonce: ${onceHash}`
  expect(parseDeployText(all)).toMatchObject({ envHash: appHash, appHash, onceHash })
  expect(parseDeployText(`${text}\nonce: ${onceHash}\nenv: ${appHash}`)).toBeUndefined()
})

test.each([
  ['a preset with the hash of an application', `${text}\napp: ${appHash}`],
  ['a clean with the hash of an application', `${text.replace('deploy: 2', 'deploy: 0')}\napp: ${appHash}`],
  ['an own application without its hash', own],
  ['its hashes in another order', `${own}\napp: ${appHash}\nenv: ${appHash}`],
  ['an upper-case hash', `${own}\napp: ${appHash.toUpperCase().replace('0X', '0x')}`],
  ['two hashes of applications', `${own}\napp: ${appHash}\napp: ${appHash}`],
  ['a trailing newline', `${text}\n`],
  ['a leading space', ` ${text}`],
  ['carriage returns', text.replaceAll('\n', '\r\n')],
  ['a leading zero', text.replace('order: 12', 'order: 012')],
  ['a negative id', text.replace('order: 12', 'order: -1')],
  ['an upper-case address', text.replace('00aa', '00AA')],
  ['a missing line', text.replace('deploy: 2\n', '')],
  ['lines in another order', text.split('\n').reverse().join('\n')],
  ['a line more', `${text}\nadmin: true`],
  ['a deploy id with a leading zero', text.replace('deploy: 2', 'deploy: 02')],
  ['a letter in a number', text.replace('time: 1795219200', 'time: 17952192x0')],
  ['a short address', text.replace('00aa', '0aa')],
  ['a text before it', `x${text}`],
  ['no time', text.replace('time: 1795219200', 'time: 0')],
  ['no chain', text.replace('chain: 2985', 'chain: 0')],
  ['a short hash', `${text}\nenv: 0x${'ab'.repeat(31)}`],
  ['a long hash', `${text}\nenv: 0x${'ab'.repeat(33)}`],
  ['a huge text', `${text}${' '.repeat(500)}`],
  ['nothing', ''],
])('refuses %s', (_, wrong) => expect(parseDeployText(wrong)).toBeUndefined())

test('accepts the maximum of every number, but not one digit more', () => {
  const greatest = { ...request, orderId: 10n ** 20n - 1n, deployId: 999, time: 10 ** 12 - 1, chainId: 10 ** 10 - 1 }
  const hashes = { envHash: `0x${'ab'.repeat(32)}`, appHash, onceHash: appHash }
  const written = formatDeployText({ ...greatest, ...hashes })
  expect(parseDeployText(written)).toMatchObject({ orderId: greatest.orderId, time: greatest.time, chainId: greatest.chainId })
  expect(written.length).toBeLessThanOrEqual(MAX_DEPLOY_TEXT_LENGTH)
  for (const [at, more] of [
    ['order: 9', 'order: 99'],
    ['deploy: 9', 'deploy: 99'],
    ['time: 9', 'time: 99'],
    ['chain: 9', 'chain: 99'],
  ] as const)
    expect(parseDeployText(written.replace(at, more))).toBeUndefined()
})

test('never reads a request with one changed character as another valid request', () => {
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1)
      const read = parseDeployText(changed)
      if (read) expect(formatDeployText(read)).toBe(changed)
    }),
  )
})

const salt = 'ab'.repeat(32)
test('hashes environment values independently of their order, with their salt, and parses them back', () => {
  expect(envText({ salt, env: { B: '2', A: '1' } })).toBe(envText({ salt, env: { A: '1', B: '2' } }))
  expect(envText({ salt, env: { A: '1', B: '2' } })).toBe(`["${salt}",[["A","1"],["B","2"]]]`)
  const values = { salt, env: { A: '"', PASSWORD: 'correct horse' } }
  expect(parseEnvText(`${envText(values)}   `)).toEqual(values)
  const other = envText({ ...values, salt: 'cd'.repeat(32) })
  expect(other).not.toBe(envText(values))
  for (const wrong of [
    '',
    '[]',
    '{}',
    `["${salt}",[["A",1]]]`,
    `["${salt}",[["B","1"],["A","1"]]]`,
    `["${salt}",[["A","1"],["A","2"]]]`,
    `["short",[]]`,
    `${envText(values)}x`,
  ])
    expect([wrong, parseEnvText(wrong)]).toEqual([wrong, undefined])
})
