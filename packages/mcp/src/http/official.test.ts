import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnection } from '../createConnection.ts'
import { createServer } from '../createServer.ts'
import { type HttpDoor, serveHttp } from './serveHttp.ts'

const run = promisify(execFile)
/** 160 MB that nothing else needs, so they are fetched where they are used. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.1.16', '@modelcontextprotocol/inspector@2.12.0']
const KEY = 'k'.repeat(32)
const rests = process.env.RACKFAIR_DEEP === '1' ? undefined : 'fetches 160 MB: in npm run test:deep'

/**
 * What the suite asks of a server of its own: tools, resources and prompts by names such as `test_image_content`, and abilities that this
 * server does not declare.
 */
const OF_ANOTHER_SERVER = [
  ...['logging-set-level', 'completion-complete', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-with-logging', 'tools-call-with-progress', 'tools-call-sampling'],
  ...['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'resources-list'],
  ...['resources-read-text', 'resources-read-binary', 'resources-templates-read', 'resources-subscribe', 'resources-unsubscribe'],
  ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
]

describe.skipIf(rests)(`the protocol's own programs${rests ? ` (${rests})` : ''}`, () => {
  let folder = ''
  let door: HttpDoor
  let offline: string | undefined
  const npx = (name: string, args: readonly string[]) =>
    run(join(folder, 'node_modules/.bin', name), args, { cwd: folder, env: { ...process.env, HOME: folder } }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    )
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rackfair-mcp-'))
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
    await run('npm', ['install', ...flags, ...PACKAGES], { cwd: folder }).catch((error: { stderr?: string }) => {
      if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(error.stderr ?? '')) throw error
      offline = 'the registry cannot be reached'
    })
    const connection = createConnection({ RACKFAIR_PLATFORM: 'http://127.0.0.1:9' })
    door = await serveHttp({ host: '127.0.0.1', port: 0, key: KEY, createServer: () => createServer(connection) })
  }, 600_000)
  afterAll(async () => {
    await door?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the conformance suite finds nothing wrong', async ({ skip }) => {
    skip(offline !== undefined, offline)
    const baseline = join(folder, 'expected.yml')
    writeFileSync(baseline, `server:\n${OF_ANOTHER_SERVER.map((name) => `  - ${name}\n`).join('')}`)
    const proxy = await withKey(door.url)
    try {
      const { code, stdout } = await npx('conformance', ['server', '--url', proxy.url, '--expected-failures', baseline])
      expect({ code, stdout }).toMatchObject({ code: 0 })
      for (const name of ['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'])
        expect(stdout).toMatch(new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`))
    } finally {
      proxy.close()
    }
  })

  test('the inspector lists and calls the tools, and finds their schemas portable', async ({ skip }) => {
    skip(offline !== undefined, offline)
    const inspect = (...args: string[]) =>
      npx('mcp-inspector', [
        ...['--cli', '--server-url', door.url, '--transport', 'http', '--header', `Authorization: Bearer ${KEY}`],
        ...args,
      ])
    const listed = await inspect('--method', 'tools/list', '--strict')
    expect(listed.code).toBe(0)
    expect(JSON.parse(listed.stdout).tools.map(({ name }: { name: string }) => name)).toContain('start_sandbox')
    const called = await inspect('--method', 'tools/call', '--tool-name', 'spent')
    expect(JSON.parse(called.stdout)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^not_connected: /) }],
    })
  })
})

/** The suite cannot present a key. */
async function withKey(to: string): Promise<{ url: string; close: () => void }> {
  const server = createHttpServer((from, response) => {
    const headers = { ...from.headers, authorization: `Bearer ${KEY}` }
    const sent = request(to, { method: from.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.once('error', () => response.destroy())
    response.once('close', () => sent.destroy())
    from.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
