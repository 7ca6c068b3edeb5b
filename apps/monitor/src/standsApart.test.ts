import type { networkInterfaces } from 'node:os'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { expect, it } from 'vitest'
import { createOwnIps, standsApart } from './standsApart.ts'

const addressOf = (digit: string) => lowerCaseAddress(`0x${digit.repeat(40)}`)
const [account, provider, operator] = [addressOf('1'), addressOf('2'), addressOf('3')]
const at = (ip: string) => ({ address: provider, operator, ip, port: 7070, domain: '', nodes: [] })

it('does not report on machines in its own /24 or /48, nor on its own', () => {
  const own = { account, ips: ['8.8.4.9', '2a01:4f8:12:34::5'] }
  expect(['8.8.4.200', '8.8.5.9', '2a01:4f8:12:ffff::1', '2a01:4f8:13::1'].map((ip) => standsApart(at(ip), own))).toEqual([
    ...[false, true, false, true],
  ])
  expect(standsApart({ ...at('9.9.9.9'), operator: account }, own)).toBe(false)
  expect(standsApart({ ...at('9.9.9.9'), address: account }, own)).toBe(false)
})

it('reports on machines at private addresses, as in a local market', () => {
  const ips = ['127.0.0.1', '10.1.2.3', '192.168.1.2', 'fd00::1', '::1']
  expect(ips.map((ip) => standsApart(at(ip), { account, ips }))).toEqual(ips.map(() => true))
  expect(standsApart(at('not an address'), { account, ips })).toBe(true)
})

it('knows its configured addresses, those of its machine and those of its published name', async () => {
  const names = new Map([['monitor.example', [{ address: '9.9.9.9', family: 4 }]]])
  const lookup = async (host: string) => {
    const found = names.get(host)
    if (!found) throw new Error('no answer')
    return found
  }
  const interfaces = (() => ({ eth0: [{ address: '8.8.4.9' }], lo: undefined })) as unknown as typeof networkInterfaces
  const ownIps = createOwnIps({ named: ['1.1.1.1'], url: 'https://monitor.example/x', lookup, interfaces })
  expect(await ownIps()).toEqual(['1.1.1.1', '9.9.9.9', '8.8.4.9'])
  names.clear()
  expect(await ownIps()).toEqual(['1.1.1.1', '9.9.9.9', '8.8.4.9'])
  expect(await createOwnIps({ named: [], url: 'http://[2a01:4f8::1]:80', lookup, interfaces })()).toEqual([
    ...['2a01:4f8::1', '8.8.4.9'],
  ])
  expect(await createOwnIps({ named: [], url: undefined, lookup, interfaces })()).toEqual(['8.8.4.9'])
})
