import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { freePorts } from '@rackfair/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type AgentDb, openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import type { RunSpec } from '../../runtime/RunSpec.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { createSshClient, type SshClient } from '../../testing/sshClient.ts'
import { countingServer, rsyncFor, sayTo } from '../../testing/sshForwarding.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { createSignInLimit } from './createSignInLimit.ts'
import { createSshKeys, type SshKeys } from './createSshKeys.ts'
import { createSshServer, type SshServer } from './createSshServer.ts'
import { type HostKey, loadHostKey } from './hostKey.ts'
import { insideByName } from './insideByName.ts'

const SHELL = 3
const HOME = '/home/renter'
const OWNER = lowerCaseAddress(`0x${'aa'.repeat(20)}`)
const OTHER = lowerCaseAddress(`0x${'bb'.repeat(20)}`)
const LONG = { timeout: 60_000 }
const lacking = ['/usr/bin/ssh', '/usr/bin/scp', '/usr/bin/sftp'].find((program) => !existsSync(program))
const reason = whyNoContainers() ?? (lacking ? `${lacking} is not installed` : undefined)
const rsync = existsSync('/usr/bin/rsync') ? undefined : 'rsync is not installed'

describe.skipIf(reason)(`SSH to an order, with the OpenSSH client (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  /** A second service of the order. */
  let db: RunSpec
  let client: SshClient
  let state: AgentDb
  let keys: SshKeys
  let server: SshServer
  let hostKey: HostKey
  let mine: { file: string; line: string }
  let port: number
  let clock = 0
  const owners = new Map<bigint, LowerCaseAddress>()
  const owner = { wallet: OWNER, registeredBy: 'browser' }

  /** The manager of orders knows which service has a name; it calls it otherwise. */
  const serviceOf = (_: bigint, name: string): RunSpec => {
    if (name === 'db') return db
    throw new AppError('service_unknown', 'the application of this order has no service of that name')
  }

  beforeAll(async () => {
    market = await setupRuntime()
    db = { ...market.app(SHELL), service: { key: 'second', place: 1, names: [['web'], ['db']], memory: [] } }
    await market.run(1n, SHELL, { diskBytes: 2 ** 30 })
    client = await createSshClient()
    state = openAgentDb(':memory:')
    keys = createSshKeys(state, () => 1_795_000_000)
    hostKey = loadHostKey(join(client.folder, 'host'))
    mine = await client.makeKey('mine')
    server = createSshServer({
      ...{
        hostKey,
        keys,
        inside: insideByName(market.runtime, serviceOf),
        checkMs: 100,
        log: sayingLog(() => undefined),
        place: { host: '198.51.100.7', port: 22 },
      },
      limit: createSignInLimit({ tries: 5, now: () => clock }),
      async ownerOf(orderId) {
        const found = owners.get(orderId)
        if (!found) throw new AppError('order_not_active', 'the order is over')
        return found
      },
    })
    port = await server.listen(0, '127.0.0.1')
    client.know(`[127.0.0.1]:${port}`, hostKey.line)
  })
  beforeEach(() => {
    // A minute later: failed attempts of the previous test are forgotten.
    clock += 60_001
    owners.set(1n, OWNER)
    keys.add(1n, mine.line, owner)
  })
  afterAll(async () => {
    await server?.close()
    client?.close()
    state?.close()
    await market?.close()
  })

  const to = (key = mine.file, user = 'order-1', more: readonly string[] = []) => [
    ...client.options(key, more),
    ...['-p', String(port), `${user}@127.0.0.1`],
  ]
  const ssh = (command: readonly string[], input?: Uint8Array | string, target = to()) =>
    client.run('ssh', [...target, ...command], input)
  const inside = async (line: string) => (await market.inside(1n, line)).output

  it('runs commands as the application’s user, with input, both outputs and exit code', async () => {
    const bytes = randomBytes(3_000_000)
    const echoed = await ssh(['cat'], bytes)
    expect([echoed.code, echoed.out.equals(bytes)]).toEqual([0, true])
    expect(await ssh(['echo out; echo err >&2; id -u; exit 7'])).toEqual({
      code: 7,
      out: Buffer.from('out\n1000\n'),
      errors: 'err\n',
    })
    expect((await ssh(['head -c 3; exit 4'], bytes)).code).toBe(4)
    expect(String((await ssh(['-T'], 'echo "from a script" | tr a-z A-Z\n')).out)).toBe('FROM A SCRIPT\n')
    const limits = await ssh(['grep -E "NoNewPrivs|Seccomp:" /proc/self/status'])
    expect(String(limits.out)).toMatch(/NoNewPrivs:\s+1\nSeccomp:\s+2/)
  })

  it('opens a shell with a terminal, and returns its exit code', async () => {
    const shell = await ssh(['-tt'], 'tty; echo "$TERM"; stty size; id -un; exit 3\n', to(mine.file, 'order-1'))
    expect(shell.code).toBe(3)
    expect(String(shell.out)).toMatch(/\/dev\/pts\/\d+/)
    expect(String(shell.out)).toContain('renter')
    const command = await ssh(['-tt', 'test -t 0 && echo "a terminal of $TERM"; exit 5'])
    expect([command.code, String(command.out)]).toEqual([5, expect.stringContaining('a terminal of')])
  })

  it('copies files by scp and sftp', async () => {
    const bytes = randomBytes(5_000_000)
    const [up, down] = [join(client.folder, 'up'), join(client.folder, 'down')]
    writeFileSync(up, bytes)
    const options = [...client.options(mine.file), '-P', String(port)]
    expect(await client.run('scp', [...options, up, `order-1@127.0.0.1:${HOME}/a file`])).toMatchObject({ code: 0 })
    expect(await inside(`sha256sum < "${HOME}/a file"; stat -c %U "${HOME}/a file"`)).toBe(
      `${createHash('sha256').update(bytes).digest('hex')}  -\nrenter\n`,
    )
    expect(await client.run('scp', [...options, `order-1@127.0.0.1:${HOME}/a file`, down])).toMatchObject({ code: 0 })
    expect(readFileSync(down).equals(bytes)).toBe(true)
    const batch = `cd ${HOME}\nmkdir one\nput ${up} one/two\nls -l one\nrm one/two\nrmdir one\n`
    const listed = await client.run('sftp', ['-b', '-', ...options, 'order-1@127.0.0.1'], batch)
    expect([listed.code, String(listed.out)]).toEqual([0, expect.stringContaining('5000000')])
  })

  it.skipIf(rsync)(`copies folders by rsync, where the application has it (${rsync ?? 'here'})`, async () => {
    const options = [...client.options(mine.file), '-P', String(port)]
    const { files, path } = await rsyncFor(`${HOME}/lib`)
    await inside(`mkdir -p ${HOME}/lib`)
    await client.run('scp', [...options, ...files, `order-1@127.0.0.1:${HOME}/lib/`])
    const shell = ['ssh', '-F', '/dev/null', ...client.options(mine.file), '-p', String(port)].join(' ')
    writeFileSync(join(client.folder, 'synced'), 'once')
    const sync = () =>
      runCommand('rsync', ['-a', '--stats', '-e', shell, path, join(client.folder, 'synced'), `order-1@127.0.0.1:${HOME}/`])
    expect(await sync()).toMatchObject({ code: 0 })
    expect(await inside(`cat ${HOME}/synced`)).toBe('once')
    expect((await sync()).stdout).toContain('Number of regular files transferred: 0')
  })

  it('forwards ports to the application’s loopback only, with half-closed connections', async () => {
    await inside(countingServer(7777))
    const [near = 0, far = 0, back = 0, ours = 0] = await freePorts(4)
    const host = createServer((socket) => socket.end('the machine of the provider'))
    await new Promise<void>((resolve) => host.listen(ours, '127.0.0.1', resolve))
    const forwarding = client.start('ssh', [
      ...['-N', '-L', `${near}:localhost:7777`, '-L', `${far}:198.51.100.2:80`, '-L', `${back}:127.0.0.1:${ours}`],
      ...to(),
    ])
    onTestFinished(() => {
      forwarding.child.kill()
      host.close()
    })
    await expect.poll(() => sayTo(near, Buffer.from('x')), LONG).toBe('1 bytes')
    expect(await Promise.all([1, 2, 3, 4].map((size) => sayTo(near, randomBytes(size * 300_000))))).toEqual(
      [1, 2, 3, 4].map((size) => `${size * 300_000} bytes`),
    )
    expect(await sayTo(far, Buffer.from('x'))).toBe('')
    expect(await sayTo(back, Buffer.from('x'))).toBe('')
    expect(forwarding.complained()).toContain('open failed')
  })

  it('survives a killed engine during a command and a forwarded connection', async () => {
    const listening = 'use IO::Socket; $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 7778)'
    const hearing = '$| = 1; print "listens\\n"; $c = $s->accept; print "begun\\n"; print $_ = <$c>; print $c "heard $_"; exit 6'
    const command = client.start('ssh', [...to(), `perl -e '${listening}; ${hearing}'`])
    await expect.poll(command.said, LONG).toBe('listens\n')
    const [near = 0] = await freePorts(1)
    const forwarding = client.start('ssh', ['-N', '-L', `${near}:localhost:7778`, ...to()])
    const dial = () =>
      new Promise<Socket | undefined>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: near }, () => resolve(socket))
        socket.on('error', () => resolve(undefined))
      })
    let socket: Socket | undefined
    await expect
      .poll(async () => {
        socket ??= await dial()
        return socket !== undefined
      }, LONG)
      .toBe(true)
    let heard = ''
    socket?.on('data', (chunk) => {
      heard += chunk
    })
    await expect.poll(command.said, LONG).toBe('listens\nbegun\n')
    await market.killEngine()
    socket?.write('whole\n')
    expect(await command.done).toMatchObject({ code: 6, out: Buffer.from('listens\nbegun\nwhole\n') })
    await expect.poll(() => heard, LONG).toBe('heard whole\n')
    forwarding.child.kill()
    await market.runtime.check()
    expect((await ssh(['true'])).code).toBe(0)
  })

  it('refuses an unknown key, a key of another order, a password, and another host key', async () => {
    const foreign = await client.makeKey('foreign')
    keys.add(2n, foreign.line, owner)
    owners.set(2n, OWNER)
    expect(await ssh(['true'], '', to(foreign.file))).toMatchObject({
      code: 255,
      errors: expect.stringContaining('Permission denied'),
    })
    expect((await ssh(['true'], '', to(mine.file, 'order-2'))).errors).toContain('Permission denied')
    expect((await ssh(['true'], '', to(mine.file, 'root'))).errors).toContain('Permission denied (publickey)')
    keys.add(2n, mine.line, { ...owner, wallet: OTHER })
    expect((await ssh(['true'], '', to(mine.file, 'order-2'))).errors).toContain('Permission denied')
    const strange = loadHostKey(join(client.folder, 'strange'))
    client.know(`[127.0.0.1]:${port}`, strange.line)
    expect((await ssh(['true'])).errors).toContain('REMOTE HOST IDENTIFICATION HAS CHANGED')
    client.know(`[127.0.0.1]:${port}`, hostKey.line)
    expect((await ssh(['true'])).code).toBe(0)
  })

  it('leads to a service of the order by its name, and nowhere by any other', async () => {
    const [workload] = await market.runtime.list()
    const allowance = { cores: 1, memoryBytes: 2 ** 29, diskBytes: 2 ** 30, gpus: [] }
    await market.runtime.create(
      { orderId: 1n, deploymentId: 'd1', slot: 1, app: db, env: {}, allowance },
      workload?.imageId ?? '',
    )
    await market.runtime.start(1n, 'second')
    const there = to(mine.file, 'order-1.db')
    expect(String((await ssh(['hostname'], '', there)).out)).toBe('db\n')
    expect(String((await ssh(['-tt', 'hostname'], '', there)).out)).toContain('db')
    expect(String((await ssh(['hostname'])).out)).not.toContain('db')
    expect(await ssh(['true'], '', to(mine.file, 'order-1.cache'))).toMatchObject({
      code: 255,
      errors: expect.stringContaining('no service of that name'),
    })
    expect((await ssh(['true'], '', to(mine.file, 'order-1.'))).errors).toContain('Permission denied')
    await market.runtime.stopService(1n, 'second')
  })

  it('lets a registered key in, whatever else its network has tried', async () => {
    const foreign = await client.makeKey('guess')
    for (let round = 0; round < 6; round += 1) expect((await ssh(['true'], '', to(foreign.file))).code).toBe(255)
    expect((await ssh(['true'])).code).toBe(0)
    const both = [...client.options(foreign.file), '-o', `IdentityFile=${mine.file}`, '-p', String(port), 'order-1@127.0.0.1']
    for (let round = 0; round < 7; round += 1) expect((await ssh(['true'], '', both)).code).toBe(0)
  })

  it('sets the variables that sshd sets, with a terminal and without', async () => {
    const line = 'echo "<$USER|$LOGNAME|$SHELL|$HOME|$SSH_CONNECTION|$LANG>"'
    const said = /<renter\|renter\|\/bin\/bash\|\/home\/renter\|127\.0\.0\.1 \d+ 198\.51\.100\.7 22\|[\w.-]*UTF-8>/
    expect(String((await ssh([line])).out)).toMatch(said)
    expect(String((await ssh(['-tt', line])).out)).toMatch(said)
    expect(String((await ssh(['-T'], `${line}\n`)).out)).toMatch(said)
  })

  it('disconnects after a removed key, a sold account and the end of the order', async () => {
    const ends: [string, () => void][] = [
      [
        'removed',
        () => {
          const [key] = keys.list(1n, OWNER)
          keys.remove(1n, key?.fingerprint ?? '')
          server.endRemoved(1n)
        },
      ],
      [
        'its workspace key revoked',
        () => {
          keys.removeOf(1n, 'browser')
          server.endRemoved(1n)
        },
      ],
      ['sold', () => void owners.set(1n, OTHER)],
      ['over', () => void owners.delete(1n)],
    ]
    for (const [what, end] of ends) {
      clock += 60_001
      owners.set(1n, OWNER)
      keys.add(1n, mine.line, owner)
      const open = client.start('ssh', [...to(), 'echo here; sleep 9000'])
      await expect.poll(open.said, LONG).toBe('here\n')
      end()
      expect([what, (await open.done).code]).toEqual([what, 255])
      expect([what, (await ssh(['true'])).code]).toEqual([what, 255])
    }
    expect(keys.find(1n, keys.list(1n, OWNER)[0]?.fingerprint ?? '')).toBeUndefined()
  })

  it('serves eight connections of an order at once, and ends what a client leaves behind', async () => {
    const open = Array.from({ length: 8 }, () => client.start('ssh', [...to(), 'echo here; sleep 4242 & sleep 4242']))
    for (const one of open) await expect.poll(one.said, LONG).toBe('here\n')
    expect((await ssh(['true'])).code).toBe(255)
    const sleeping = async () => Number(await inside('pgrep -c -f "^sleep 4242"'))
    await expect.poll(sleeping, LONG).toBe(16)
    for (const { child } of open) child.kill('SIGKILL')
    await expect.poll(sleeping, LONG).toBe(0)
    await expect.poll(() => server.connections(), LONG).toBe(0)
    expect((await ssh(['true'])).code).toBe(0)
  })

  it('accepts RSA and ECDSA keys too, sixteen per order, and explains what is wrong with others', async () => {
    const rsa = await client.makeKey('rsa', ['-t', 'rsa', '-b', '2048'])
    const ecdsa = await client.makeKey('ecdsa', ['-t', 'ecdsa', '-b', '384'])
    for (const key of [rsa, ecdsa]) {
      keys.add(1n, key.line, owner)
      expect(await ssh(['echo in'], '', to(key.file))).toMatchObject({ code: 0 })
    }
    const shown = (await runCommand('ssh-keygen', ['-l', '-f', `${rsa.file}.pub`])).stdout.split(' ')[1]
    expect(keys.list(1n, OWNER)).toContainEqual({
      ...{ type: 'ssh-rsa', fingerprint: shown, comment: 'rsa@test' },
      ...{ addedAt: 1_795_000_000, usedAt: 1_795_000_000 },
    })
    expect(hostKey.fingerprint).toBe(
      (await runCommand('ssh-keygen', ['-l', '-f', join(client.folder, 'host')])).stdout.split(' ')[1],
    )
    const small = await client.makeKey('small', ['-t', 'rsa', '-b', '1024'])
    for (const [why, line] of [
      ['2048 bits', small.line],
      ['private key', readFileSync(mine.file, 'utf8')],
      ['not a public key', 'hello'],
      ['not a public key', `${mine.line.trim()}\n${mine.line}`],
      ['not a public key', `command="true" ${mine.line}`],
      ['cut short', mine.line.slice(0, 60)],
      ['cut short', mine.line.replace('ssh-ed25519 ', 'ssh-rsa ')],
    ])
      expect(() => keys.add(1n, line ?? '', owner)).toThrow(
        expect.objectContaining({ code: 'ssh_key_refused', message: expect.stringContaining(why ?? '') }),
      )
    const more = await Promise.all(Array.from({ length: 14 }, (_, index) => client.makeKey(`more${index}`)))
    for (const { line } of more.slice(0, 13)) keys.add(1n, line, owner)
    expect(() => keys.add(1n, more[13]?.line ?? '', owner)).toThrow(expect.objectContaining({ code: 'too_many_keys' }))
    keys.removeOrder(1n)
  })
})
