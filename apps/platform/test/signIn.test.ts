import { sessionAnswer, signInAnswer } from '@rackfair/protocol/account'
import { getAddress, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Market, startMarket } from './startMarket.ts'

const WITH_TLS = 'https://market.example'
let market: Market
beforeAll(async () => {
  market = await startMarket()
  market.settings.origins.push(WITH_TLS)
})
afterAll(() => market.stop())

it.each(['http', 'https'])(
  'opens a session with a message signed at an %s origin, once per nonce, and ends it',
  async (scheme) => {
    const { message, signature } = await signed(scheme === 'https' ? { domain: new URL(WITH_TLS).host, uri: WITH_TLS } : {})
    const opened = await verify(message, signature)
    expect(opened.status).toBe(200)
    const address = market.chain.accounts.user.address.toLowerCase()
    const { token } = signInAnswer.parse(opened.body)
    const cookie = opened.headers.get('set-cookie')
    // Without TLS every port of the host would receive the cookie, and set it.
    if (scheme === 'http') expect(cookie).toBeNull()
    else expect(cookie).toMatch(/^__Host-\w+=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const headers: Record<string, string> = cookie ? { cookie: cookie.split(';')[0] ?? '' } : { authorization: `Bearer ${token}` }
    expect(sessionAnswer.parse((await market.get('/v1/auth/session', { headers })).body)).toMatchObject({ address })
    expect(await verify(message, signature)).toMatchObject({ status: 401, body: { code: 'nonce_unknown' } })
    await market.get('/v1/auth/logout', { method: 'POST', headers })
    expect((await market.get('/v1/auth/session', { headers })).body).toEqual({ address: null, expires: null })
  },
)

it('refuses a message with any field altered, before or after signing', async () => {
  const { otherUser } = market.chain.accounts
  const day = 86_400_000
  const altered: [string, Partial<SiweMessage>][] = [
    ['another address', { address: otherUser.address }],
    ['another domain', { domain: 'evil.example' }],
    ['another uri', { uri: 'https://evil.example/' }],
    ['another chain', { chainId: 1 }],
    ['a nonce of one’s own', { nonce: 'abcdefgh12345678' }],
    ['issued long ago', { issuedAt: new Date(Date.now() - day) }],
    ['issued in the future', { issuedAt: new Date(Date.now() + day) }],
    ['expired', { expirationTime: new Date(Date.now() - 1_000) }],
    ['not valid yet', { notBefore: new Date(Date.now() + day) }],
    ['another scheme', { scheme: 'https' }],
  ]
  for (const [what, change] of altered) {
    const { message, signature } = await signed(change)
    expect([what, (await verify(message, signature)).status]).toEqual([what, 401])
  }
  const lines = (await signed({})).message.split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const { message, signature } = await signed({})
    const changed = message
      .split('\n')
      .map((text, at) => (at === index ? text.replace(/.$/, (last) => (last === '1' ? '2' : '1')) : text))
    expect([line, (await verify(changed.join('\n'), signature)).status]).toEqual([line, 401])
  }
  const { message, signature } = await signed({})
  for (const text of [
    `${message}\n`,
    `\n${message}`,
    message.replaceAll('\n', '\r\n'),
    message.replace('Version: 1', 'Version: 2'),
  ]) {
    expect((await verify(text, signature)).status).toBe(401)
  }
  expect((await verify(message, `0x${'00'.repeat(65)}`)).body.code).toBe('signature_invalid')
})

it('signs in a smart account that confirms the signature, but not one that returns nothing', async () => {
  const says = { yes: '0x631626ba7e60e01b60005260206000f3', nothing: '0x60206000f3' }
  for (const [answer, code] of Object.entries(says)) {
    const address = answer === 'yes' ? `0x${'c0'.repeat(20)}` : `0x${'c1'.repeat(20)}`
    await market.act.rpc('anvil_setCode', [address, code])
    const { message, signature } = await signed({ address: getAddress(address) })
    expect([answer, (await verify(message, signature)).status]).toEqual([answer, answer === 'yes' ? 200 : 401])
  }
})

it('passes a signature of any form on to the account', async () => {
  const address = getAddress(`0x${'c2'.repeat(20)}`)
  await market.act.rpc('anvil_setCode', [address, '0x631626ba7e60e01b60005260206000f3'])
  const forms = ['0x', '', 'ab', '0xab', ...[31, 32, 64, 65, 66, 4096].map((bytes) => `0x${'1f'.repeat(bytes)}`)]
  for (const signature of forms) {
    const { message } = await signed({ address })
    expect([signature.slice(0, 20), (await verify(message, signature)).status]).toEqual([signature.slice(0, 20), 200])
  }
  const { message } = await signed({ address })
  for (const none of [`0x${'1f'.repeat(4097)}`, '0xa', 'signed'])
    expect((await verify(message, none)).body.code).toBe('bad_request')

  const { otherUser } = market.chain.accounts
  const own = await signed({})
  for (const wrong of ['0x', '0xab', `0x${'1f'.repeat(64)}`])
    expect((await verify(own.message, wrong)).body.code).toBe('signature_invalid')
  expect((await verify(own.message, await otherUser.signMessage({ message: own.message }))).body.code).toBe('signature_invalid')
  const short = serializeCompactSignature(signatureToCompactSignature(parseSignature(own.signature)))
  expect((await verify(own.message, short.slice(2))).status).toBe(200)
})

it('names the date as what is wrong with a message', async () => {
  for (const [code, issuedAt] of [
    ['text_too_old', -1200],
    ['text_in_future', 120],
  ] as const) {
    const { message, signature } = await signed({ issuedAt: new Date(Date.now() + issuedAt * 1000), expirationTime: undefined })
    expect((await verify(message, signature)).body.code).toBe(code)
  }
})

it('enforces its rate limit', async () => {
  const limited = await startMarket({ rateScale: 1 })
  const ask = () => limited.get<{ code?: string; facts: { seconds: number } }>('/v1/auth/nonce', { method: 'POST' })
  const began = Date.now()
  let granted = 0
  let answer = await ask()
  for (; answer.status === 200; granted += 1) answer = await ask()
  // One is refilled every two seconds, and a busy machine takes its time.
  const back = Math.floor((Date.now() - began) / 2_000)
  expect(granted).toBeGreaterThanOrEqual(20)
  expect(granted).toBeLessThanOrEqual(20 + back)
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(answer.headers.get('retry-after'))).toBe(answer.body.facts.seconds)
  await limited.stop()
})

async function signed(change: Partial<SiweMessage>) {
  const { body } = await market.get<{ nonce: string }>('/v1/auth/nonce', { method: 'POST' })
  const { user } = market.chain.accounts
  const { host, origin } = new URL(market.platform.url)
  const message = createSiweMessage({
    address: user.address,
    chainId: 2985,
    domain: host,
    uri: origin,
    nonce: body.nonce,
    version: '1',
    statement: 'Sign in to Rackfair.',
    issuedAt: new Date(),
    expirationTime: new Date(Date.now() + 600_000),
    ...change,
  })
  return { message, signature: await user.signMessage({ message }) }
}

function verify(message: string, signature: string) {
  const headers = { 'content-type': 'application/json' }
  return market.get<{ code: string }>('/v1/auth/verify', {
    method: 'POST',
    headers,
    body: JSON.stringify({ message, signature }),
  })
}
