import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { carrySsh, checkSshHostKey, requestSshAccess } from '@rackfair/sdk/workspace'
import type { Address } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'
import { orderIdOf, type Session } from '../session.ts'

const KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa']

/**
 * Runs the local ssh, with its connection carried through the market: registers the public key with the order, and verifies the host key
 * that the provider's operator signed. The wallet's key stays in this process. Returns ssh's exit code.
 */
export async function ssh(
  session: Session,
  order: string,
  args: readonly string[],
  flags: { identity?: string },
): Promise<number> {
  const { text, signal } = session
  const orderId = orderIdOf(order, text)
  const { identity: given, rest } = identityOf(args, flags.identity)
  const identity = given ?? KEYS.map((name) => join(homedir(), '.ssh', name)).find((file) => existsSync(`${file}.pub`))
  if (identity === undefined || !existsSync(`${identity}.pub`))
    throw new CliError(EXIT.notFound, 'file_not_found', text.noIdentity)
  const key = readFileSync(`${identity}.pub`, 'utf8').trim()
  const renter = await session.renter()
  const workspace = await session.workspace(orderId)
  const { provider } = await renter.api.order(String(orderId))
  const { user, hostKey } = await requestSshAccess(workspace, { op: 'add', key })
  const knownHost = await checkSshHostKey(renter, provider as Address, hostKey)
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-ssh-'))
  const socket = join(folder, 'socket')
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined)
    const onBytes = async (bytes: Uint8Array) => {
      if (!client.write(bytes)) await once(client, 'drain')
    }
    carrySsh(workspace, client, onBytes, signal)
      .catch(() => undefined)
      .finally(() => client.destroy())
  })
  try {
    writeFileSync(join(folder, 'known_hosts'), `${user} ${knownHost}\n`)
    server.listen(socket)
    await once(server, 'listening')
    const proxy = [process.execPath, process.argv[1] ?? '', 'proxy', '--socket', socket].map(quoted).join(' ')
    const options = [
      `ProxyCommand=${proxy}`,
      `HostKeyAlias=${user}`,
      `UserKnownHostsFile=${join(folder, 'known_hosts')}`,
      'StrictHostKeyChecking=yes',
    ]
    const child = spawn('ssh', [...options.flatMap((one) => ['-o', one]), '-i', identity, `${user}@${user}`, ...rest], {
      stdio: 'inherit',
    })
    const [code] = await Promise.race([
      once(child, 'exit') as Promise<[number | null]>,
      once(child, 'error').then(() => {
        throw new CliError(EXIT.notFound, 'file_not_found', text.noSsh)
      }),
    ])
    return code ?? EXIT.failed
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The key may be named before the order or after it, where ssh's own options are. */
function identityOf(args: readonly string[], before: string | undefined) {
  const [, joined] = /^-i(.+)$/.exec(args[0] ?? '') ?? []
  if (joined !== undefined) return { identity: joined, rest: args.slice(1) }
  return args[0] === '-i' && args[1] !== undefined ? { identity: args[1], rest: args.slice(2) } : { identity: before, rest: args }
}

/** Carries one connection over stdin and stdout: to an order, or to the socket of the `ssh` above. */
export async function proxy(session: Session, order: string | undefined, flags: { socket?: string }): Promise<void> {
  const { stdin, stdout } = process
  if (flags.socket !== undefined) {
    const client = connect(flags.socket)
    stdin.pipe(client)
    client.pipe(stdout)
    await once(client, 'close')
    return
  }
  if (order === undefined) throw new CliError(EXIT.usage, 'bad_request', session.text.badOrder(''))
  const workspace = await session.workspace(orderIdOf(order, session.text))
  const onBytes = async (bytes: Uint8Array) => {
    if (!stdout.write(bytes)) await once(stdout, 'drain')
  }
  await carrySsh(workspace, stdin, onBytes, session.signal)
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
