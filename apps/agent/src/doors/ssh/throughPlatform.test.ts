import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSshHostKey } from '@rackfair/protocol/agentTexts'
import { decodeJson, FRAME, readFrames } from '@rackfair/protocol/frames'
import type { SshAccess } from '@rackfair/protocol/workspaceAnswers'
import { contractCall } from '@rackfair/sdk'
import { freePort, whyItRests } from '@rackfair/testkit'
import { recoverMessageAddress, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { type AgentDb, openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { makeWorkspaceKey } from '../../testing/makeTicket.ts'
import { openWorkspace } from '../../testing/openWorkspace.ts'
import { startPlatformSide } from '../../testing/platformSide.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { setupVerify } from '../../testing/setupVerify.ts'
import { createSshClient, type SshClient } from '../../testing/sshClient.ts'
import { countingServer, rsyncFor, sayTo } from '../../testing/sshForwarding.ts'
import { startPlatform } from '../../testing/startPlatform.ts'
import { placeOf, visitPlatform } from '../../testing/visitPlatform.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { createOwnerAdmission } from '../owner/createOwnerAdmission.ts'
import { createSignatureCheck } from '../owner/createSignatureCheck.ts'
import { createWorkspaceKeys } from '../owner/createWorkspaceKeys.ts'
import { createRelayClient } from '../relay/createRelayClient.ts'
import { createStreamDesk } from '../workspace/createStreamDesk.ts'
import { createWorkspaceServer } from '../workspace/createWorkspaceServer.ts'
import { announceKeys } from '../workspace/encryptionKeys.ts'
import { startSsh } from './startSsh.ts'

const SHELL = 3
const SECRET = 'nobody in between reads this line'
const LONG = { timeout: 60_000 }
const HOME = '/home/renter'
const lacking = ['ssh', 'scp', 'sftp', 'rsync', 'script'].find((program) => !existsSync(`/usr/bin/${program}`))
const reason = whyNoContainers() ?? (lacking && `${lacking} is not installed`)

describe.skipIf(reason)(`SSH keys and streams through the real platform (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-ssh-platform-'))
  const said: string[] = []
  let market: Awaited<ReturnType<typeof setupVerify>>
  let machine: TestRuntime
  let side: Awaited<ReturnType<typeof startPlatformSide>>
  let platform: Awaited<ReturnType<typeof startPlatform>>
  let client: SshClient
  let agent: Awaited<ReturnType<typeof startAgent>>
  let mine: { file: string; line: string }
  let sshPort: number
  let orderId: bigint
  let otherOrder: bigint

  const startAgent = async () => {
    const { chain, provider, context } = market
    const account = privateKeyToAccount(toHex(chain.accounts.provider.getHdKey().privateKey as Uint8Array))
    const facts = { chainId: chain.chainId, provider }
    const now = () => Math.floor(Date.now() / 1000)
    const log = sayingLog((line) => said.push(line))
    const state: AgentDb = openAgentDb(join(folder, 'agent.sqlite'))
    const gateway = { host: '127.0.0.1', publicHost: '127.0.0.1', port: 7070, sshPort, tls: false }
    const ssh = await startSsh({
      config: { ...facts, gateway } as AgentConfig,
      ...{ data: folder, account, state, chain: context.chain, inside: machine.runtime, times: { workspaceMs: 200 }, now, log },
    })
    const relay = createRelayClient({
      ...facts,
      ...{
        platformUrl: side.url,
        version: 'test',
        machine: async () => ({ cores: 1, memoryGb: 1, diskGb: 1, gpus: 0 }),
        account,
        log,
      },
      onDeploy: () => Promise.reject(new Error('nothing is deployed here')),
      liveDeployments: () => [],
      announcedKeys: () => announceKeys(context.keys, { ...facts, account, now: now() }),
      onDuplicate: () => undefined,
    })
    const server = createWorkspaceServer({
      ...facts,
      ...{ keys: context.keys, log, checkMs: 200, onRevoked: ssh.revoke },
      ownKinds: (admitted) => ({ sshKeys: ssh.keysHandler(admitted) }),
      desk: createStreamDesk(() => ({ ssh: ssh.handler }), log),
      admission: createOwnerAdmission({
        ...facts,
        ...{ chain: context.chain, isSigned: createSignatureCheck(context.chain), sites: relay.sites, now },
        keys: createWorkspaceKeys(state, now),
      }),
    })
    relay.visitorConnection.serve(server.join(relay.visitorConnection, side.url))
    relay.start()
    return {
      async stop() {
        relay.stop()
        await server.stop()
        await ssh.close()
        state.close()
      },
    }
  }

  beforeAll(async () => {
    market = await setupVerify(2)
    const { user, otherUser } = market.chain.accounts
    orderId = await market.buyer.buy(market.provider, 1n, 1, user)
    otherOrder = await market.buyer.buy(market.provider, 2n, 1, otherUser)
    machine = await setupRuntime()
    await machine.run(orderId, SHELL)
    client = await createSshClient()
    mine = await client.makeKey('mine')
    sshPort = await freePort()
    side = await startPlatformSide(() => platform.url)
    platform = await startPlatform(market.chain, folder, ['--public-url', side.url])
    agent = await startAgent()
  })
  afterAll(async () => {
    client?.close()
    await agent?.stop()
    await platform?.stop()
    side?.close()
    await machine?.close()
    await market?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (order = orderId, wallet = market.chain.accounts.user) => {
    const { provider, chain } = market
    const facts = { orderId: order, provider, gateway: 'http://127.0.0.1:7070', chainId: chain.chainId, site: side.url }
    for (;;) {
      const place = await placeOf(side.url, provider)
      const wire = await visitPlatform(side.url.replace('http', 'ws') + place.url)
      const key = await makeWorkspaceKey(wallet, facts)
      // The agent may need a moment to reconnect.
      const workspace = await openWorkspace({ ...facts, wire, key, agent: place.agent }).catch(() => undefined)
      if (workspace) return workspace
    }
  }
  type Open = Awaited<ReturnType<typeof open>>
  const ask = async (workspace: Open, request: unknown): Promise<SshAccess> => {
    for await (const { type, payload } of readFrames(workspace.open('sshKeys', request).incoming))
      if (type === FRAME.json) return decodeJson(payload) as SshAccess
    throw new Error('no answer')
  }
  /** Acts as a ProxyCommand: passes bytes between the client and a stream of the workspace. */
  const proxy = async (workspace: Open) => {
    const listener = createServer((socket) => {
      const stream = workspace.open('ssh')
      socket.on('error', () => {})
      socket.once('close', () => stream.cancel())
      void (async () => {
        for await (const chunk of socket) await stream.write(chunk as Buffer)
        stream.end()
      })().catch(() => {})
      void (async () => {
        for await (const chunk of stream.incoming) socket.write(chunk)
      })()
        .catch(() => {})
        .finally(() => socket.end())
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return { port: (listener.address() as { port: number }).port, close: () => listener.close() }
  }
  const ssh = (port: number, name: string, command: string, input = '', user = `order-${orderId}`) =>
    client.run(
      'ssh',
      [...client.options(mine.file, [`HostKeyAlias=${name}`]), '-p', String(port), `${user}@127.0.0.1`, command],
      input,
    )

  it('registers a key in a workspace, with the host key signed by the operator, and the port accepts it', async () => {
    const workspace = await open()
    const access = await ask(workspace, { op: 'add', key: mine.line })
    expect(access).toMatchObject({ user: `order-${orderId}`, host: '127.0.0.1', port: sshPort, keys: [{ type: 'ssh-ed25519' }] })
    const { text, signature } = access.hostKey
    const host = parseSshHostKey(text)
    expect(host).toMatchObject({ chainId: market.chain.chainId, provider: market.provider })
    const signer = await recoverMessageAddress({ message: text, signature: signature as `0x${string}` })
    expect(signer.toLowerCase()).toBe(market.provider)
    client.know('provider', host?.key ?? '')
    expect(await ssh(sshPort, 'provider', 'echo in')).toMatchObject({ code: 0, out: Buffer.from('in\n') })
    await expect(ask(workspace, { op: 'add', key: 'x' })).rejects.toMatchObject({ code: 'ssh_key_refused' })
    await expect(ask(workspace, { op: 'remove' })).rejects.toMatchObject({ code: 'bad_request' })
    await workspace.close()
  })

  it('opens a stream to its own order only without a port, unreadable by the platform', async () => {
    const workspace = await open()
    const way = await proxy(workspace)
    const input = `${SECRET}\n`.repeat(20_000)
    const echoed = await ssh(way.port, 'provider', 'cat', input)
    expect([echoed.code, String(echoed.out) === input]).toEqual([0, true])
    for (const text of [SECRET, `order-${orderId}`, 'SSH-2.0']) expect([text, side.saw(text)]).toEqual([text, false])
    // The key is for order 1; the stream is for another order, opened by its own owner.
    const others = await proxy(await open(otherOrder, market.chain.accounts.otherUser))
    expect((await ssh(others.port, 'provider', 'true')).errors).toContain('Permission denied')
    way.close()
    others.close()
    await workspace.close()
  })

  it('opens a resizable shell without a port, and returns its exit code', async () => {
    const workspace = await open()
    const way = await proxy(workspace)
    const at = ['-p', String(way.port), `order-${orderId}@127.0.0.1`]
    const shell = client.shell(['-tt', ...client.options(mine.file, ['HostKeyAlias=provider']), ...at], { columns: 93, rows: 31 })
    shell.type('test -t 0 && stty size\r')
    await expect.poll(shell.said, LONG).toContain('31 93\r\n')
    await shell.resize(111, 42)
    shell.type(`until [ "$(stty size)" = "42 111" ]; do sleep 0.1; done; echo the ${SECRET} | tr a-z A-Z\r`)
    await expect.poll(shell.said, LONG).toContain(`THE ${SECRET.toUpperCase()}\r\n`)
    shell.type('exit 7\r')
    expect((await shell.done).code).toBe(7)
    for (const text of [SECRET, SECRET.toUpperCase()]) expect([text, side.saw(text)]).toEqual([text, false])
    way.close()
    await workspace.close()
  })

  const resting = whyItRests('SSH files')
  const title = `without a port too, scp, sftp, rsync and a forwarded port are those of OpenSSH, and the platform reads nothing (${resting ?? 'here'})`
  it.skipIf(resting)(title, { timeout: 300_000 }, async () => {
    const workspace = await open()
    const way = await proxy(workspace)
    const options = client.options(mine.file, ['HostKeyAlias=provider'])
    const at = `order-${orderId}@127.0.0.1`
    const [up, down] = [join(client.folder, 'up'), join(client.folder, 'down')]
    const bytes = Buffer.concat([randomBytes(3_000_000), Buffer.from(SECRET)])
    writeFileSync(up, bytes)
    const scp = (...files: string[]) => client.run('scp', [...options, '-P', String(way.port), ...files])
    expect(await scp(up, `${at}:${HOME}/file`)).toMatchObject({ code: 0 })
    expect(await scp(`${at}:${HOME}/file`, down)).toMatchObject({ code: 0 })
    expect(readFileSync(down).equals(bytes)).toBe(true)
    const batch = `cd ${HOME}\nmkdir lib\nls -l file\nrm file\n`
    const listed = await client.run('sftp', ['-b', '-', ...options, '-P', String(way.port), at], batch)
    expect([listed.code, String(listed.out)]).toEqual([0, expect.stringContaining(String(bytes.length))])

    const { files, path } = await rsyncFor(`${HOME}/lib`)
    expect(await scp(...files, `${at}:${HOME}/lib/`)).toMatchObject({ code: 0 })
    const shell = ['ssh', '-F', '/dev/null', ...options, '-p', String(way.port)].join(' ')
    const synced = await runCommand('rsync', ['-a', '-e', shell, path, up, `${at}:${HOME}/`])
    expect(synced).toMatchObject({ code: 0 })
    expect((await machine.inside(orderId, `sha256sum < ${HOME}/up`)).output).toBe(
      `${createHash('sha256').update(bytes).digest('hex')}  -\n`,
    )

    await machine.inside(orderId, countingServer(7777))
    const near = await freePort()
    const forwarding = client.start('ssh', ['-N', '-L', `${near}:localhost:7777`, ...options, '-p', String(way.port), at])
    await expect.poll(() => sayTo(near, Buffer.from('x')), LONG).toBe('1 bytes')
    expect(await Promise.all([sayTo(near, bytes), sayTo(near, bytes.subarray(1))])).toEqual([
      `${bytes.length} bytes`,
      `${bytes.length - 1} bytes`,
    ])
    forwarding.child.kill()
    for (const text of [SECRET, 'SSH-2.0']) expect([text, side.saw(text)]).toEqual([text, false])
    way.close()
    await workspace.close()
  })

  it('keeps host key and keys over a restart of the agent, even if its port was taken meanwhile', async () => {
    const long = client.start('ssh', [
      ...client.options(mine.file, ['HostKeyAlias=provider']),
      ...['-p', String(sshPort), `order-${orderId}@127.0.0.1`, 'echo here; sleep 9000'],
    ])
    await expect.poll(long.said, LONG).toBe('here\n')
    await agent.stop()
    expect((await long.done).code).toBe(255)
    const taker = createServer()
    await new Promise<void>((resolve) => taker.listen(sshPort, '127.0.0.1', resolve))
    agent = await startAgent()
    expect(said.join('\n')).toContain(`the SSH port ${sshPort} cannot be opened`)
    const workspace = await open()
    expect(await ask(workspace, { op: 'list' })).toMatchObject({ port: null, keys: [{ type: 'ssh-ed25519' }] })
    const way = await proxy(workspace)
    expect((await ssh(way.port, 'provider', 'true')).code).toBe(0)
    way.close()
    await workspace.close()
    await agent.stop()
    await new Promise((resolve) => taker.close(resolve))
    agent = await startAgent()
    expect((await ssh(sshPort, 'provider', 'true')).code).toBe(0)
  })

  it('revokes the SSH keys registered with a revoked workspace key, and all at the end of the order', async () => {
    const workspace = await open()
    const other = await client.makeKey('other')
    await ask(workspace, { op: 'add', key: other.line })
    const keys = await workspace.ask<{ key: string; own: boolean }[]>('keys', { action: 'list' })
    const own = keys.find((one) => one.own)?.key
    await workspace.ask('keys', { action: 'revoke', key: own })
    const next = await open()
    await expect
      .poll(async () => (await ask(next, { op: 'list' })).keys.map(({ comment }) => comment), LONG)
      .toEqual(['mine@test'])

    const { buyer, chain } = market
    await buyer.send(chain.accounts.user, contractCall(buyer.addresses, 'market', 'userCancel', [orderId]))
    await expect.poll(async () => (await ssh(sshPort, 'provider', 'true')).code, LONG).toBe(255)
  })
})
