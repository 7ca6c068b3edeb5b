import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from './readOptions.ts'

const root = '/checkout'

test('without options the documented ports and the checkout’s own state', () => {
  expect(readOptions([], root)).toMatchObject({
    port: 3000,
    rpcPort: 8545,
    gatewayPort: 7070,
    stateDir: '/checkout/.rackfair',
    reset: false,
    agent: true,
    monitors: true,
    install: true,
    dev: false,
  })
})

test('a site file is looked for where the command is given', () => {
  expect(readOptions([], root).siteFile).toBeUndefined()
  expect(readOptions(['--site', 'site.json'], root).siteFile).toBe(resolve('site.json'))
})

test.each([
  [['--port', 'web'], /--port takes a port/],
  [['--rpc-port', '70000'], /--rpc-port takes a port/],
  [['--port', '8545'], /must differ/],
  [['--state', '/'], /mix state/],
  [['--state', root], /mix state/],
  [['--nonsense'], /nonsense/],
])('%j is refused', (args, message) => expect(() => readOptions(args, root)).toThrow(message))
