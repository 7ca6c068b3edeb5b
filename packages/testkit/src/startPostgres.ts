import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './freePort.ts'

export interface Postgres {
  /** A fresh database of this cluster. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
  restart(): Promise<void>
}

/** Why no cluster can be started on this machine; `undefined` if one can. */
export function whyNoPostgres(): string | undefined {
  if (!binaries()) return 'PostgreSQL is not installed (/usr/lib/postgresql/*/bin)'
  if (process.getuid?.() === 0 && spawnSync('id', ['postgres']).status !== 0) return 'no user postgres to run initdb as'
  return undefined
}

/** A real PostgreSQL cluster in a temporary folder, on a free port of 127.0.0.1 only. */
export async function startPostgres(): Promise<Postgres> {
  const bin = binaries()
  if (!bin) throw new Error(whyNoPostgres())
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-pg-'))
  const data = join(folder, 'data')
  if (process.getuid?.() === 0) {
    const ids = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString()))
    chownSync(folder, ids[0] as number, ids[1] as number)
  }
  const init = run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    folder,
  )
  const initCode = await new Promise<number | null>((resolve) => init.once('exit', resolve))
  if (initCode !== 0) throw new Error(`initdb ended with ${initCode}`)

  const port = await freePort()
  const start = async () => {
    const flags = ['-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'fsync=off', '-c', 'max_connections=60']
    const child = run(join(bin, 'postgres'), ['-D', data, ...flags], folder)
    const quit = () => child.kill('SIGQUIT')
    process.once('exit', quit)
    const exited = new Promise<void>((resolve) =>
      child.once('exit', () => {
        process.off('exit', quit)
        resolve()
      }),
    )
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`)
      if (spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q']).status === 0) break
      await sleep(100)
    }
    return { child, exited }
  }
  const halt = async (server: { child: ChildProcess; exited: Promise<void> }) => {
    server.child.kill('SIGINT')
    await server.exited
  }

  let server = await start()
  let databases = 0
  return {
    async createDatabase() {
      databases += 1
      const name = `market_${process.pid}_${databases}`
      const created = spawnSync(join(bin, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name])
      if (created.status !== 0) throw new Error(created.stderr.toString())
      return `postgres://postgres@127.0.0.1:${port}/${name}`
    },
    async restart() {
      await halt(server)
      server = await start()
    },
    async stop() {
      await halt(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function binaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0]
  const bin = newest && join(root, newest, 'bin')
  return bin && existsSync(join(bin, 'initdb')) ? bin : undefined
}

function run(command: string, args: readonly string[], cwd: string): ChildProcess {
  const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]
  return process.getuid?.() === 0
    ? spawn('setpriv', asPostgres, { cwd, stdio: 'ignore' })
    : spawn(command, args, { cwd, stdio: 'ignore' })
}
