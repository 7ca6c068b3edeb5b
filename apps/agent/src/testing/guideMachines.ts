import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from '@rackfair/contracts/foundry'
import { createTestClient, http, parseEther } from 'viem'
import { expect, vi } from 'vitest'
import { startPackageMirror } from './packageMirror.ts'
import { IMAGE_CACHE } from './setupAgent.ts'
import { startCleanMachine } from './startCleanMachine.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const LONG = { timeout: 240_000, interval: 500 }
const RPC = 'http://203.0.113.1:8545'
/** Path of the guides' checkout on the clean machine. */
const CHECKOUT = '/root/rackfair'

export type Place = 'market' | 'provider'
export type GuideMachines = Awaited<ReturnType<typeof startGuideMachines>>

/**
 * Two machines in network namespaces, with the addresses of the guides, on one clean Debian: commands run from their own checkout, with the
 * Node that the checkout fetches. `names` are the names that differ from the guides. Nothing outside is reached: npm uses a mirror, pnpm
 * this machine's store, apt a folder.
 */
export async function startGuideMachines(chainId: number, names: () => Record<string, string>) {
  const base = mkdtempSync(join(tmpdir(), 'rackfair-guide-'))
  const folder = join(base, 'shared')
  mkdirSync(folder)
  const certificate = join(folder, 'certificate.pem')
  const origin = makeOrigin(folder)
  const store = packageStore()
  const mirror = await startPackageMirror()
  const machine = await startCleanMachine(base, [folder, IMAGE_CACHE, store])
  const running: (() => Promise<void>)[] = []
  const done: string[] = []
  writeFileSync(join(machine.root, 'etc/hosts'), '127.0.0.1 localhost\n203.0.113.1 market.example\n')
  // Nothing listens there: anything missing on this machine fails at once.
  writeFileSync(join(machine.root, 'etc/resolv.conf'), 'nameserver 127.0.0.1\n')
  sh(`
    ip netns add market
    ip link add here type veth peer name there netns market
    ip address add 203.0.113.7/24 dev here
    ip link set here up
    ip -n market address add 203.0.113.1/24 dev there
    ip -n market link set there up
    ip -n market link set lo up`)

  const replace = (line: string) =>
    Object.entries({ 'https://rpc.example': RPC, 'https://git.example/rackfair.git': `file://${origin}`, ...names() }).reduce(
      (text, [from, to]) => text.replace(new RegExp(`(?<![\\w/])${from}`, 'g'), () => to),
      line,
    )
  const inMarket = (command: readonly string[]) => ['nsenter', '--net=/run/netns/market', ...command]
  const shell = (lines: readonly string[], where: Place, env: Record<string, string>, cwd = CHECKOUT) => {
    const text = [`cd ${cwd}`, ...lines].join('\n')
    const command = machine.on(['sh', '-ec', text])
    const [program = '', ...args] = where === 'market' ? inMarket(command) : command
    return spawn(program, args, {
      env: {
        ...{ HOME: '/root', LANG: 'C.UTF-8', CI: 'true', NODE_EXTRA_CA_CERTS: certificate, RACKFAIR_FASTER: '10' },
        PATH: `${CHECKOUT}/.rackfair/toolchain/node_modules/node/bin:${CHECKOUT}/.rackfair/toolchain/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        ...{ npm_config_registry: mirror.url, npm_config_store_dir: store, npm_config_prefer_offline: 'true' },
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  /** Runs lines of a guide in one shell, in order, and records them. `as` replaces the last one. */
  const run = async (
    lines: readonly string[],
    { env = {}, where = 'provider', cwd, as }: { env?: Record<string, string>; where?: Place; cwd?: string; as?: string } = {},
  ) => {
    done.push(...lines)
    const written = as === undefined ? lines : [...lines.slice(0, -1), as]
    return finish(shell(written.map(replace), where, env, cwd))
  }

  const anvil = ['--host', '0.0.0.0', '--port', '8545', '--chain-id', String(chainId), '--block-time', '1']
  const [program = '', ...args] = inMarket([foundryBinary('anvil'), ...anvil, '--mixed-mining', '--quiet'])
  const anvilProcess = spawn(program, args, { stdio: 'ignore' })
  running.push(() => end(anvilProcess))

  return {
    ...{ folder, certificate, done, run, replace, checkout: CHECKOUT, rpcUrl: RPC },
    /** Files of the clean machine, as seen from the host. */
    root: machine.root,
    /** The repository that the guides clone. */
    origin,
    /** Runs one line of a guide, which must succeed. */
    async runs(line: string, env: Record<string, string> = {}): Promise<string> {
      const { code, output } = await run([line], { env })
      expect(code, `${line}\n${output}`).toBe(0)
      return output
    },
    /** Starts the program of a guide's line, after the lines `before` it. */
    background(line: string, where: Place, before: readonly string[] = []): ChildProcess {
      done.push(...before, line)
      const child = shell([...before.map(replace), `exec ${replace(line)}`], where, {})
      child.stderr?.pipe(process.stderr)
      child.stdout?.resume()
      running.push(() => machine.end(child))
      return child
    },
    /** Starts a program of this machine next to the market. */
    besideMarket(command: readonly string[]): void {
      const [first = '', ...rest] = inMarket(command)
      const child = spawn(first, rest, { stdio: 'inherit' })
      running.push(() => end(child))
    },
    end: machine.end,
    /** PID and start time of each container of the provider, by number. */
    containers(): string[] {
      const lines = execFileSync('ps', ['-eo', 'pid,lstart,args'], { encoding: 'utf8' }).split('\n')
      return lines.filter((line) => line.includes('conmon ') && line.includes('/etc/rackfair/data')).sort()
    },
    traces: () => tracesOf(machine),
    /** Sends a request to the market as a visitor would. */
    ask(path: string, body?: object): unknown {
      const post = body ? ['-H', 'content-type: application/json', '-d', JSON.stringify(body)] : []
      const resolved = ['--resolve', 'market.example:443:203.0.113.1', '--cacert', certificate]
      const text = execFileSync('curl', ['-sS', ...resolved, ...post, `https://market.example${path}`], { encoding: 'utf8' })
      return JSON.parse(text)
    },
    async fund(addresses: readonly `0x${string}`[]): Promise<void> {
      const control = createTestClient({ mode: 'anvil', transport: http(RPC) })
      for (const address of addresses) await vi.waitFor(() => control.setBalance({ address, value: parseEther('100') }), LONG)
    },
    async close(): Promise<void> {
      for (const stop of running.reverse()) await stop()
      await machine.stop()
      mirror.close()
      spawnSync('ip', ['netns', 'delete', 'market'])
      spawnSync('sh', ['-c', 'grep -F " $0/" /proc/self/mounts | cut -d " " -f 2 | tac | xargs -r umount -l', base])
      // A checkout with all its packages: node removes them one by one, and blocks meanwhile.
      spawnSync('rm', ['-rf', base])
    },
  }
}

/** What a program leaves on a machine: files except logs, caches and the checkout; users, links, rules, loop devices, mounts, processes. */
function tracesOf(machine: Awaited<ReturnType<typeof startCleanMachine>>): string[] {
  const text = (command: readonly string[]) => {
    const [program = '', ...args] = command
    return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
      .trim()
      .split('\n')
  }
  const ours = (command: readonly string[]) => text(command).filter((line) => /rackfair-(?!guide)|\/etc\/rackfair/.test(line))
  // The last one is written by Debian's own podman units; the agent's engine is elsewhere.
  const left = [
    'proc',
    'sys',
    'dev',
    'run',
    'tmp',
    'root',
    'var/log',
    'var/cache',
    'var/lib/apt',
    'var/lib/dpkg',
    'var/lib/containers',
  ]
  const without = left.flatMap((path) => ['-path', `./${path}`, '-prune', '-o'])
  const files = text(['sh', '-c', 'cd "$0" && find . "$@" -print', machine.root, ...without])
  return [
    ...files,
    ...readFileSync(join(machine.root, 'etc/passwd'), 'utf8').split('\n'),
    ...text(['ip', '-o', 'link']).map((line) => `link ${line.split(':')[1]?.replace(/@.*/, '').trim()}`),
    // Podman creates tables for all containers of a machine and leaves them there; they contain no rules of our networks.
    ...text(['nft', 'list', 'tables']).filter((line) => !['table ip nat', 'table ip filter'].includes(line)),
    ...text(['nft', 'list', 'ruleset']).filter((line) => /"rf|rackfair|10(\.\d+){3}\/28/.test(line)),
    // Loop devices and mounts of tests running in parallel are visible here too.
    ...text(machine.on(['losetup', '-a'])).filter((line) => line.includes('/etc/rackfair')),
    ...text(machine.on(['cat', '/proc/self/mounts'])).filter((line) => line.includes('/etc/rackfair')),
    ...ours(machine.on(['find', '/run', '-maxdepth', '1'])),
    ...ours(['ps', '-eo', 'args']).filter((line) => line.includes('/etc/rackfair/data')),
  ]
}

async function finish(child: ChildProcess) {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** A repository with these sources as they are, committed or not. */
function makeOrigin(folder: string): string {
  const work = join(folder, 'origin')
  const author = '-c user.name=guide -c user.email=guide@market.example'
  sh(`
    git init -q -b trunk ${work}
    cd ${ROOT}
    git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf - 2>/dev/null | tar -xf - -C ${work}
    cd ${work}
    git add -A
    git ${author} commit -q -m sources`)
  return work
}

/** Location of this machine's pnpm store. */
function packageStore(): string {
  const pnpm = join(ROOT, '.rackfair/toolchain/node_modules/.bin/pnpm')
  return dirname(execFileSync(pnpm, ['store', 'path'], { cwd: ROOT, encoding: 'utf8' }).trim())
}

function sh(text: string): void {
  execFileSync('sh', ['-ec', text], { stdio: ['ignore', 'ignore', 'inherit'] })
}
