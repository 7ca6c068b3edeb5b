import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { describe, expect, it } from 'vitest'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Arrival } from '../../foundation/arrival.ts'
import { createAddresses } from './createAddresses.ts'

const MAIN_CHAIN = 985
const PORT = 7070
const OF_AN_ORDER = 7071

describe('the addresses of a gateway', () => {
  it('use its public host, with its port or that of an order', () => {
    const originOf = reader({})
    expect(originOf('203.0.113.7:7070')).toBe('http://203.0.113.7:7070')
    expect(originOf('203.0.113.7:7071', OF_AN_ORDER)).toBe('http://203.0.113.7:7071')
    for (const host of [
      'evil.example',
      'evil.example:7070',
      '203.0.113.7:7071',
      '203.0.113.7:8080',
      'x@203.0.113.7',
      '',
      undefined,
    ])
      expect(originOf(host), host).toBeUndefined()
    expect(originOf('203.0.113.7:7070', OF_AN_ORDER)).toBeUndefined()
    expect(reader({ publicHost: 'GPU.example' })('gpu.example:7070')).toBe('http://gpu.example:7070')
    expect(reader({ publicHost: '2001:db8::7' })('[2001:DB8:0::7]:7070')).toBe('http://[2001:db8::7]:7070')
  })

  it('use loopback names on the development chain only', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(reader({}, DEVELOPMENT_CHAIN_ID)(`${host}:7070`)).toBe(`http://${host}:7070`)
      expect(reader({})(`${host}:7070`), host).toBeUndefined()
    }
  })

  it('use a name per order under its domain', () => {
    const orderOf = (host: string) => createAddresses(config({ domain: 'Node.example' }), MAIN_CHAIN)(host, at(PORT))?.orderId
    expect(orderOf('o-12.node.example:7070')).toBe(12n)
    for (const host of ['o-12.node.example.evil', 'o-12.evil.example', 'o-x.node.example', 'a.o-12.node.example'])
      expect(orderOf(host), host).toBeUndefined()
    expect(reader({ domain: 'node.example' })('node.example')).toBe('http://node.example')
  })

  it('use a name per order on the machine of a market, at the gateway’s own port only', () => {
    const local = createAddresses(config({ publicHost: '127.0.0.1' }), DEVELOPMENT_CHAIN_ID, 'a1b2c3')
    const host = 'o-12-a1b2c3.localhost'
    expect(local(`${host}:7070`, at(PORT))).toMatchObject({ orderId: 12n, origin: `http://${host}:7070`, isSecure: false })
    expect(local(`${host}:7071`, at(OF_AN_ORDER))).toBeUndefined()
    for (const other of ['o-12-a1b2c4.localhost', 'o-12-a1b2c3.example', 'x.o-12-a1b2c3.localhost', 'o-12.a1b2c3.localhost'])
      expect(local(`${other}:7070`, at(PORT)), other).toBeUndefined()
    expect(reader({}, DEVELOPMENT_CHAIN_ID)(`${host}:7070`)).toBeUndefined()
  })

  it('use the address behind a TLS proxy, even if the browser omits the port', () => {
    const originOf = reader({ tls: true, domain: 'node.example' })
    expect(originOf('o-1.node.example')).toBe('https://o-1.node.example')
    expect(originOf('203.0.113.7:7071', OF_AN_ORDER)).toBe('https://203.0.113.7:7071')
    expect(originOf('203.0.113.7', OF_AN_ORDER)).toBe('https://203.0.113.7:7071')
    expect(reader({ tls: true, port: 443 })('203.0.113.7', 443)).toBe('https://203.0.113.7')
  })
})

const config = (change: Partial<AgentConfig['gateway']>): AgentConfig['gateway'] => ({
  host: '0.0.0.0',
  port: PORT,
  publicHost: '203.0.113.7',
  tls: false,
  ...change,
})

const at = (port: number, tls = false): Arrival => ({ from: '203.0.113.9', port, tls, isProxied: tls })

const reader =
  (change: Partial<AgentConfig['gateway']>, chainId = MAIN_CHAIN) =>
  (host: string | undefined, port = PORT) =>
    createAddresses(config(change), chainId)(host, at(port, change.tls))?.origin
