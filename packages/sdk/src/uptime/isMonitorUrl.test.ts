import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { expect, test } from 'vitest'
import { isMonitorUrl } from './isMonitorUrl.ts'

const CHAIN = 985
const urlOf = (length: number) => `https://monitor.example/${'x'.repeat(length - 24)}`

test.each([
  'https://monitor.example',
  'https://monitor.example:8443/reports/',
  'https://127.0.0.1.example',
  'https://localhost.example',
  'https://mylocalhost',
  'https://monitor.example1',
  urlOf(128),
])('follows %s', (url) => expect(isMonitorUrl(url, CHAIN)).toBe(true))

test.each([
  ...['', 'monitor.example', 'https://', urlOf(129), 'http://monitor.example', 'ftp://monitor.example', 'file:///etc/passwd'],
  ...[
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://127.0.0.1.',
    'https://１２７.0.0.1',
  ],
  ...[
    'https://[::1]',
    'https://[::1]:8443',
    'https://localhost',
    'https://LOCALHOST',
    'https://loc%61lhost',
    'https://a.localhost',
  ],
  ...['https://localhost.', 'https://me@monitor.example', 'https://:secret@monitor.example', 'https://monitor.example?'],
  ...['https://monitor.example/?a=1', 'https://monitor.example/#', 'javascript:alert(1)'],
])('does not follow %s', (url) => expect(isMonitorUrl(url, CHAIN)).toBe(false))

test.each<[string, boolean]>([
  ['http://127.0.0.1:3000', true],
  ['https://localhost', true],
  ['ftp://127.0.0.1', false],
  ['http://127.0.0.1/?a=1', false],
])('on a development chain, follows %s: %s', (url, followed) => expect(isMonitorUrl(url, DEVELOPMENT_CHAIN_ID)).toBe(followed))
