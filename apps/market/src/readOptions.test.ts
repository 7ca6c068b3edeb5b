import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from './readOptions.ts'
import { samplePorts } from './samples.ts'

const root = '/checkout'

test('defaults to the documented ports and the checkout’s own state', () => {
  expect(readOptions([], root)).toMatchObject({
    port: 3000,
    rpcPort: 8545,
    gatewayPort: 7070,
    stateDir: '/checkout/.rackfair',
    reset: false,
    sample: false,
    agent: true,
    monitors: true,
    install: true,
    dev: false,
  })
})

test('leads an edge to six ports that nothing else has, also with samples', () => {
  expect(readOptions([], root).edgePort).toBeUndefined()
  expect(readOptions(['--edge', '--sample'], root).edgePort).toBe(9443)
  expect(readOptions(['--edge', '--edge-port', '10000'], root).edgePort).toBe(10_000)
})

test('resolves the site file against the working directory', () => {
  expect(readOptions([], root).siteFile).toBeUndefined()
  expect(readOptions(['--site', 'site.json'], root).siteFile).toBe(resolve('site.json'))
})

test('assigns ports to samples after those of this machine’s own agent', () => {
  expect(readOptions(['--sample'], root)).toMatchObject({ sample: true, agent: true })
  expect(samplePorts(7070)).toEqual([7372, 7594, 7816, 8038, 8260])
})

test.each([
  [['--sample', '--no-agent'], /needs what --no-agent leaves out/],
  [['--sample', '--port', '7594'], /--sample takes 7372, 7594/],
  [['--sample', '--gateway-port', '65000'], /choose others with --gateway-port/],
  [['--edge', '--no-agent'], /needs what --no-agent leaves out/],
  [['--edge', '--edge-port', '7366'], /--edge takes 7366 to 7371/],
  [['--edge', '--edge-port', '65531'], /choose others with --edge-port/],
  [['--port', 'web'], /--port takes a port/],
  [['--rpc-port', '70000'], /--rpc-port takes a port/],
  [['--port', '8545'], /must differ/],
  [['--state', '/'], /mix state/],
  [['--state', root], /mix state/],
  [['--nonsense'], /nonsense/],
])('refuses %j', (args, message) => expect(() => readOptions(args, root)).toThrow(message))
