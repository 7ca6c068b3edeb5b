import { describe, expect, it } from 'vitest'
import type { AccountState, AccountStatus } from './accountState.ts'
import { dialogAfter, mayOpen, type WalletDialog } from './dialogRules.ts'
import { missingOf } from './missingOf.ts'
import { accountStateOf } from './session/connection/accountStateOf.ts'

const STATUSES: readonly AccountStatus[] = ['disconnected', 'connecting', 'connected', 'unauthenticated', 'loading']

describe('who may open which dialog', () => {
  it.each([
    ['connect', ['disconnected', 'unauthenticated']],
    ['chain', ['connected']],
    ['account', ['connected']],
  ] satisfies [WalletDialog, AccountStatus[]][])('%s: %o', (dialog, allowed) => {
    expect(STATUSES.filter((status) => mayOpen(dialog, at(status)))).toEqual(
      STATUSES.filter((status) => allowed.includes(status as never)),
    )
  })

  it('account requires a supported chain, chain does not', () => {
    const wrong = { ...at('connected'), supported: false }
    expect(mayOpen('account', wrong)).toBe(false)
    expect(mayOpen('chain', wrong)).toBe(true)
  })
})

describe('which events close a dialog', () => {
  it('closes on a successful connect', () => expect(dialogAfter('connect', at('connecting'), at('connected'))).toBeUndefined())
  it('keeps the connect dialog while unauthenticated', () => {
    expect(dialogAfter('connect', at('connecting'), at('unauthenticated'))).toBe('connect')
    expect(dialogAfter('connect', at('loading'), at('unauthenticated'))).toBe('connect')
  })
  it.each(['account', 'chain'] satisfies WalletDialog[])('replaces %s by the sign-in without a session', (dialog) => {
    expect(dialogAfter(dialog, at('connected'), at('unauthenticated'))).toBe('connect')
    expect(dialogAfter(dialog, at('connected'), at('loading'))).toBeUndefined()
  })
  it('opens nothing by itself', () => expect(dialogAfter(undefined, at('connected'), at('unauthenticated'))).toBeUndefined())
  it('closes on a sign-in', () => expect(dialogAfter('connect', at('unauthenticated'), at('connected'))).toBeUndefined())
  it.each(['connect', 'account', 'chain'] satisfies WalletDialog[])('closes %s on a disconnect', (dialog) => {
    for (const before of ['connected', 'unauthenticated', 'loading'] as const)
      expect(dialogAfter(dialog, at(before), at('disconnected'))).toBeUndefined()
  })
  it('keeps the connect dialog for a retry after a failed connection', () => {
    expect(dialogAfter('connect', at('connecting'), at('disconnected'))).toBe('connect')
  })
  it('closes the account dialog, not the chain dialog, on an unsupported chain', () => {
    const wrong = { ...at('connected'), supported: false }
    expect(dialogAfter('account', at('connected'), wrong)).toBeUndefined()
    expect(dialogAfter('chain', at('connected'), wrong)).toBe('chain')
  })
})

describe('the account state', () => {
  const ADDRESS = '0xAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaa'
  const connected = { status: 'connected', address: ADDRESS, chainId: 2985 } as const

  it('is loading until the session is known, then unauthenticated or connected', () => {
    expect(accountStateOf(connected, undefined, 2985).status).toBe('loading')
    expect(accountStateOf(connected, null, 2985).status).toBe('unauthenticated')
    expect(accountStateOf(connected, ADDRESS.toLowerCase(), 2985)).toEqual({
      status: 'connected',
      address: ADDRESS,
      lowerCase: ADDRESS.toLowerCase(),
      chainId: 2985,
      supported: true,
    })
  })
  it('ignores the session of another account', () => {
    expect(accountStateOf(connected, '0xbb', 2985).status).toBe('unauthenticated')
  })
  it('recognises an unsupported chain', () => {
    expect(accountStateOf({ ...connected, chainId: 1 }, ADDRESS, 2985)).toMatchObject({ status: 'connected', supported: false })
  })
  it('follows the wallet while it connects and reconnects', () => {
    const bare = { address: undefined, chainId: undefined }
    expect(accountStateOf({ status: 'connecting', ...bare }, undefined, 2985).status).toBe('connecting')
    expect(accountStateOf({ status: 'reconnecting', ...bare }, undefined, 2985).status).toBe('loading')
    expect(accountStateOf({ status: 'disconnected', ...bare }, ADDRESS, 2985).status).toBe('disconnected')
  })
})

describe('what a screen with a wallet is missing', () => {
  it.each([
    ['disconnected', 'wallet'],
    ['connecting', 'wallet'],
    ['unauthenticated', 'signIn'],
    ['loading', 'wait'],
    ['connected', undefined],
  ] satisfies [AccountStatus, ReturnType<typeof missingOf>][])('%s: %s', (status, missing) => {
    expect(missingOf(at(status))).toBe(missing)
  })
  it('the network, when connected to another one', () =>
    expect(missingOf({ ...at('connected'), supported: false })).toBe('network'))
})

function at(status: AccountStatus): AccountState {
  return { status, supported: true }
}
