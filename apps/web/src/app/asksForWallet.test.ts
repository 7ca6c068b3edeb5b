import { describe, expect, it } from 'vitest'
import { asksForWallet, isFreeToSee } from './asksForWallet.ts'

describe('the offer to connect a wallet comes', () => {
  it.each([
    '/nodelist',
    '/search',
    '/machine',
    '/myspace',
    '/keys',
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

it.each([
  ['/nodelist', true],
  ['/nodelist/', true],
  ['/search', true],
  ['/machine', true],
  ['/providerdetail', true],
  ['/addorder', true],
  ['/test', true],
  ['/myspace', false],
  ['/providerinfo', false],
  ['/orderinfo', false],
])('%s is free to see: %s', (path, isFree) => expect(isFreeToSee(path)).toBe(isFree))
