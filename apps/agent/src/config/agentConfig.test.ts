import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentConfig, configDraft } from './agentConfig.ts'

it.each([
  ['DE', true],
  ['CN', true],
  ['de', false],
  ['XQ', false],
  ['Germany', false],
])('takes the country %s: %s', (region, expected) => {
  expect(configDraft.safeParse({ region }).success).toBe(expected)
})

it('takes a socket of Docker that Linux can connect to, and says of a longer one why not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-socket-'))
  const longest = join(folder, 's'.repeat(107 - folder.length - 1))
  try {
    const server = createServer((socket) => socket.end()).listen(longest)
    await once(server, 'listening')
    await once(connect(longest), 'connect')
    server.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  expect(configDraft.safeParse({ dockerSocket: longest }).success).toBe(true)
  const [problem] = configDraft.safeParse({ dockerSocket: `${longest}x` }).error?.issues ?? []
  expect(problem).toMatchObject({ path: ['dockerSocket'], message: expect.stringContaining('more than 107') })
})

it('takes ports for names only with a domain and certificates, and none that something else answers at', () => {
  const parse = (gateway: object) => {
    const address = `0x${'00'.repeat(19)}aa`
    const { error } = agentConfig.safeParse({
      ...{ instance: 'a1b2c3', chainId: 1, rpcUrl: 'https://rpc.example', access: address, provider: address },
      ...{ operatorKeyFile: 'operator.key', platforms: ['https://market.example'] },
      gateway: { host: '::', port: 7070, publicHost: '203.0.113.7', ...gateway },
    })
    return error?.issues.map(({ path }) => path.join('.')) ?? []
  }
  const named = { domain: 'atlas.example', acme: { termsOfServiceAgreed: true }, names: {} }
  expect(parse(named)).toEqual([])
  expect(parse({ ...named, names: { tls: 8443, plain: null } })).toEqual([])
  const { domain: _, ...noDomain } = named
  const wrong = [
    ...[noDomain, { ...named, acme: undefined }, { ...named, names: { tls: 7070 } }, { ...named, port: 80 }],
    ...[
      { ...named, portRange: [400, 500] },
      { ...named, names: { tls: 8443 }, appPorts: [8000, 9000] },
      { ...named, sshPort: 443 },
    ],
  ]
  for (const one of wrong) expect(parse(one), JSON.stringify(one)).toEqual(['gateway.names'])
})
