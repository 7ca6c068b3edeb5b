import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configDraft } from './agentConfig.ts'

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
