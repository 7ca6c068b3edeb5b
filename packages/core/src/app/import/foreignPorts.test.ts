import { describe, expect, test } from 'vitest'
import type { AppPort } from '../AppSpec.ts'
import { readPublished, withUsualHttp } from './foreignPorts.ts'

describe('a port mapping of compose and docker run', () => {
  test.each<[string, 'tcp' | 'udp', number]>([
    ['80', 'tcp', 80],
    ['1', 'tcp', 1],
    ['65535', 'tcp', 65_535],
    ['80/tcp', 'tcp', 80],
    ['53/udp', 'udp', 53],
    ['80:80', 'tcp', 80],
    ['127.0.0.1:80:80', 'tcp', 80],
    ['127.0.0.1::80', 'tcp', 80],
  ])('%s requests no host port', (text, protocol, port) =>
    expect(readPublished(text)).toEqual({ protocol, port, outside: false }),
  )

  test.each<[string, 'tcp' | 'udp', number]>([
    ['8080:80', 'tcp', 80],
    ['5514:514/udp', 'udp', 514],
    ['10000:65535', 'tcp', 65_535],
    ['192.168.10.100:8080:80', 'tcp', 80],
    ['0.0.0.0:8080:80/tcp', 'tcp', 80],
    ['[::1]:8080:80', 'tcp', 80],
    ['[2001:db8::Fa]:1:2/udp', 'udp', 2],
  ])('%s requests a different host port', (text, protocol, port) =>
    expect(readPublished(text)).toEqual({ protocol, port, outside: true }),
  )

  test.each([
    '',
    '0',
    '8080:0',
    '65536',
    '000080',
    '123456:80',
    'x80',
    '80x',
    ' 80',
    '80/sctp',
    '80/',
    '80/tcp/udp',
    'http:80',
    '80:80:80',
    '1.2.3:80:80',
    '1.2.3.4.5:80:80',
    '1234.2.3.4:80:80',
    '1.2.3.4567:80:80',
    '127.0.0.1:80',
    '::1:80:80',
    '[]:80:80',
    '[::g]:80:80',
    '8000-8010',
    '8000-8010:8000-8010',
  ])('%j is not a port mapping', (text) => expect(readPublished(text)).toBeUndefined())
})

describe('the port that Visit opens', () => {
  const tcp = (port: number): AppPort => ({ protocol: 'tcp', port })

  test.each<[string, AppPort[], AppPort[]]>([
    ['is a usual port of web pages', [tcp(8080)], [{ protocol: 'http', port: 8080 }]],
    ['is the first usual one', [tcp(22), tcp(3000), tcp(80)], [tcp(22), { protocol: 'http', port: 3000 }, tcp(80)]],
    ['is no unusual one', [tcp(5432)], [tcp(5432)]],
    ['is never UDP', [{ protocol: 'udp', port: 80 }], [{ protocol: 'udp', port: 80 }]],
    [
      'stays the one that is HTTP already',
      [tcp(80), { protocol: 'http', port: 1234, ready: '/up' }],
      [tcp(80), { protocol: 'http', port: 1234, ready: '/up' }],
    ],
    ['is none without ports', [], []],
  ])('%s', (_, ports, expected) => expect(withUsualHttp(ports)).toEqual(expected))

  test('is unknown as long as the ports are', () => expect(withUsualHttp(undefined)).toBeUndefined())

  test('is chosen without modifying the given list', () => {
    const ports = [tcp(80)]
    withUsualHttp(ports)
    expect(ports).toEqual([tcp(80)])
  })
})
