import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../foundation/runCommand.ts'

/** OpenSSH's own client, with keys and known hosts in a folder of the test. */
export async function createSshClient() {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-ssh-'))
  const knownHosts = join(folder, 'known_hosts')
  const children = new Set<ReturnType<typeof spawn>>()
  const options = (key: string, more: readonly string[] = []) =>
    [
      ...['IdentitiesOnly=yes', 'StrictHostKeyChecking=yes', 'BatchMode=yes', `UserKnownHostsFile=${knownHosts}`],
      ...[`IdentityFile=${key}`, 'IdentityAgent=none', 'ConnectTimeout=60', 'GlobalKnownHostsFile=/dev/null', ...more],
    ].flatMap((option) => ['-o', option])
  const follow = (child: ChildProcessWithoutNullStreams) => {
    children.add(child)
    const out: Buffer[] = []
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk
    })
    child.stdin.on('error', () => {})
    const done = new Promise<{ code: number | null; out: Buffer; errors: string }>((resolve) => {
      child.once('close', (code) => {
        children.delete(child)
        resolve({ code, out: Buffer.concat(out), errors })
      })
    })
    return { child, done, said: () => Buffer.concat(out).toString(), complained: () => errors }
  }
  const start = (program: string, args: readonly string[], input: Uint8Array | string = '') => {
    const child = spawn(program, ['-F', '/dev/null', ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(input)
    return follow(child)
  }
  return {
    folder,
    options,
    start,
    run: (program: string, args: readonly string[], input?: Uint8Array | string) => start(program, args, input).done,
    /** `ssh` in its own terminal, as a user has it: input, screen and size. */
    shell(args: readonly string[], { columns, rows }: { columns: number; rows: number }) {
      const line = `tty; stty cols ${columns} rows ${rows}; exec ssh -F /dev/null ${args.join(' ')}`
      const running = follow(spawn('script', ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'pipe'] }))
      return {
        ...running,
        type: (text: string) => void running.child.stdin.write(text),
        async resize(columns: number, rows: number) {
          // Input typed early is echoed before it.
          const [tty = ''] = /^\/dev\/pts\/\d+/m.exec(running.said()) ?? []
          const { code, stderr } = await runCommand('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)])
          if (code !== 0) throw new Error(stderr)
        },
      }
    },
    /** Creates a key; returns the path of the private key and the line of the public one. */
    async makeKey(name: string, type: readonly string[] = ['-t', 'ed25519']) {
      const file = join(folder, name)
      const made = await runCommand('ssh-keygen', ['-q', '-N', '', '-C', `${name}@test`, ...type, '-f', file])
      if (made.code !== 0) throw new Error(made.stderr)
      return { file, line: readFileSync(`${file}.pub`, 'utf8') }
    },
    know: (host: string, line: string) => writeFileSync(knownHosts, `${host} ${line}\n`),
    close() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type SshClient = Awaited<ReturnType<typeof createSshClient>>
