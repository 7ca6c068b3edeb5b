import { describe, expect, it } from 'vitest'
import { asksForWallet } from './asksForWallet.ts'

describe('the connect dialog opens by itself', () => {
  it.each([
    '/nodelist',
    '/search',
    '/myspace',
    '/providerinfo',
    '/addprovider',
    '/addnode',
    '/addorder',
    '/extendorder',
    '/orderinfo',
    '/providerdetail',
    '/deploy',
    '/orderdeploy/12/',
    '/orderdeploy/12',
    '/test',
    '/myspace/',
  ])('on %s', (path) => expect(asksForWallet(path)).toBe(true))
  it.each(['/', '/home', '/home/', '/status', '/nothing', '/orderdeploy', '/orderdeploy/1/2', '/design'])('not on %s', (path) =>
    expect(asksForWallet(path)).toBe(false),
  )
})
