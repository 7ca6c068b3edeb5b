import {
  faucetAnswer,
  faucetRequest,
  newsletterRequest,
  nonceAnswer,
  okAnswer,
  sessionAnswer,
  signInAnswer,
  verifyRequest,
} from '@rackfair/protocol/account'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { deleteCookie, setCookie } from 'hono/cookie'
import { SESSION_SECONDS, type Sessions } from '../../auth/Sessions.ts'
import type { AppContext } from '../AppContext.ts'
import { type App, type Call, defineRoute } from '../defineRoute.ts'
import { limit } from '../limit.ts'
import { COOKIE, sessionToken } from '../sessionToken.ts'

const EMAIL = /^[^\s@<>(),;:\\"[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

const tag = 'account'
const fresh = (call: Call) => call.header('cache-control', 'no-store')

export function accountRoutes(app: App, context: AppContext, sessions: Sessions): void {
  signInRoutes(app, context, sessions)
  newsletterRoute(app, context)
  faucetRoute(app, context)
}

function signInRoutes(app: App, context: AppContext, sessions: Sessions): void {
  const { settings } = context
  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/auth/nonce',
      id: 'createNonce',
      summary: 'A nonce for a sign-in message',
      tag,
      answer: nonceAnswer,
    },
    async (call) => {
      limit(call, context, 'sign')
      fresh(call)
      return call.json({ nonce: await sessions.nonce() })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/auth/verify',
      id: 'signIn',
      summary: 'Sign in with an ERC-4361 message',
      tag,
      body: verifyRequest,
      answer: signInAnswer,
    },
    async (call, { body }) => {
      limit(call, context, 'sign')
      fresh(call)
      const { token, address, expires, origin } = await sessions.signIn(body.message, body.signature, settings.origins)
      if (!origin.startsWith('https:')) return call.json({ address, expires, token })
      setCookie(call, COOKIE, token, { path: '/', httpOnly: true, sameSite: 'Lax', secure: true, maxAge: SESSION_SECONDS })
      return call.json({ address, expires })
    },
  )

  defineRoute(
    app,
    { method: 'get', path: '/v1/auth/session', id: 'getSession', summary: 'Who is signed in', tag, answer: sessionAnswer },
    async (call) => {
      fresh(call)
      const session = await sessions.find(sessionToken(call))
      return call.json({ address: session?.address ?? null, expires: session?.expires ?? null })
    },
  )

  defineRoute(
    app,
    { method: 'post', path: '/v1/auth/logout', id: 'signOut', summary: 'Sign out', tag, answer: okAnswer },
    async (call) => {
      fresh(call)
      await sessions.end(sessionToken(call))
      deleteCookie(call, COOKIE, { path: '/', secure: true })
      return call.json({ ok: true as const })
    },
  )
}

function newsletterRoute(app: App, context: AppContext): void {
  const { db } = context
  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/newsletter',
      id: 'subscribeNewsletter',
      summary: 'Subscribe to the newsletter',
      tag,
      body: newsletterRequest,
      answer: okAnswer,
    },
    async (call, { body }) => {
      limit(call, context, 'newsletter')
      const email = body.email.trim().toLowerCase()
      if (!EMAIL.test(email)) throw new AppError('bad_request', 'this is not an e-mail address')
      await db
        .insertInto('newsletter')
        .values({ email, locale: body.locale ?? 'en', createdAt: Math.floor(Date.now() / 1000) })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .execute()
      return call.json({ ok: true as const })
    },
  )
}

function faucetRoute(app: App, context: AppContext): void {
  const { faucet } = context
  defineRoute(
    app,
    {
      method: 'post',
      path: '/v1/faucet',
      id: 'useFaucet',
      summary: 'Credit and gas on the development chain',
      tag,
      body: faucetRequest,
      answer: faucetAnswer,
    },
    async (call, { body }) => {
      if (!faucet) throw new AppError('faucet_unavailable', 'there is no faucet here', { facts: { status: 404 } })
      limit(call, context, 'faucetCaller')
      const address = lowerCaseAddress(body.address)
      limit(call, context, 'faucetAddress', address)
      return call.json(await faucet.give(address))
    },
  )
}
