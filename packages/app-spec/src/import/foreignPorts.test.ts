import { describe, expect, test } from 'vitest'
import { APP_LIMITS, type AppPort } from '../AppSpec.ts'
import { readPublished, withUsualHttp } from './foreignPorts.ts'
import { unknownValue } from './unknownValue.ts'

describe('a port mapping of compose and docker run', () => {
  test.each<[string, string]>([
    ['80', 'tcp 80'],
    ['1', 'tcp 1'],
    ['65535', 'tcp 65535'],
    ['80/tcp', 'tcp 80'],
    ['80/TCP', 'tcp 80'],
    ['53/udp', 'udp 53'],
    ['80:80', 'tcp 80'],
    ['0.0.0.0:80:80', 'tcp 80'],
    ['[::]:80:80', 'tcp 80'],
    ['8080:80', 'tcp 80 outside'],
    ['5514:514/udp', 'udp 514 outside'],
    ['10000:65535', 'tcp 65535 outside'],
    ['203.0.113.5:8080:80', 'tcp 80 outside'],
    ['0.0.0.0:8080:80/tcp', 'tcp 80 outside'],
    ['[2001:db8::Fa]:1:2/udp', 'udp 2 outside'],
    ['3000-3002', 'tcp 3000, tcp 3001, tcp 3002'],
    ['3000-3001:3000-3001/udp', 'udp 3000, udp 3001'],
    ['9000-9001:3000', 'tcp 3000 outside'],
    ['127.0.0.1:80:80', 'tcp 80 closed'],
    ['127.0.0.1::80', 'tcp 80 closed'],
    ['127.8.9.10:8080:80', 'tcp 80 outside closed'],
    ['localhost:80:80', 'tcp 80 closed'],
    ['[::1]:80:80', 'tcp 80 closed'],
    ['[0:0:0:0:0:0:0:1]:80:80', 'tcp 80 closed'],
    ['[::ffff:127.0.0.1]:80:80', 'tcp 80 closed'],
    ['[fe80::1]:80:80', 'tcp 80 closed'],
    ['[fd00::1]:80:80', 'tcp 80 closed'],
    ['192.168.10.100:80:80', 'tcp 80 closed'],
    ['10.0.0.1:80:80', 'tcp 80 closed'],
    ['172.17.0.1:80:80', 'tcp 80 closed'],
    ['172.15.0.1:80:80', 'tcp 80'],
    ['100.64.0.1:80:80', 'tcp 80 closed'],
    ['169.254.1.1:80:80', 'tcp 80 closed'],
    ['127.0.0.1:3000-3001:3000-3001', 'tcp 3000 closed, tcp 3001 closed'],
  ])('%s is %s', (text, expected) => {
    const ports = readPublished(text)
    const shown = Array.isArray(ports)
      ? ports.map((one) => `${one.protocol} ${one.port}${one.outside ? ' outside' : ''}${one.closed ? ' closed' : ''}`).join(', ')
      : ports
    expect(shown).toBe(expected)
  })

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
    '3001-3000',
    '3000-',
    '70000-70001',
  ])('%j is not a port mapping', (text) => expect(readPublished(text)).toBeUndefined())

  test.each<[string, 'unknown' | 'open']>([
    [`\${IP}:80:80`, 'unknown'],
    [`80:\${PORT}`, 'unknown'],
    [`\${PORT}:80`, 'open'],
  ])('%s depends on the value of a variable: %s', (text, expected) => {
    const read = readPublished(text.replace(/\$\{\w+\}/, unknownValue))
    expect(read === 'unknown' ? read : 'open').toBe(expected)
  })

  test('a range is read only as far as it could be taken', () =>
    expect(readPublished('1-65535')).toHaveLength(APP_LIMITS.ports + 1))
})

describe('the port that Visit opens', () => {
  const tcp = (port: number): AppPort => ({ protocol: 'tcp', port })

  test.each<[string, AppPort[], AppPort[]]>([
    ['is a usual port of web pages', [tcp(8080)], [{ protocol: 'http', port: 8080 }]],
    ['is the first usual one', [tcp(22), tcp(3000), tcp(80)], [tcp(22), { protocol: 'http', port: 3000 }, tcp(80)]],
    ['is no unusual one', [tcp(5432)], [tcp(5432)]],
    ...[5678, 2283, 3001, 9090, 8096, 8123].map((port): [string, AppPort[], AppPort[]] => [
      `is ${port}`,
      [tcp(port)],
      [{ protocol: 'http', port }],
    ]),
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
