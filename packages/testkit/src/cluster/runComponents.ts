import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Component } from './components.ts'

/**
 * Runs the programs of a cluster inside its namespaces until its stdin ends. A client of `control.sock` sends one line, `stop NAME`, `start
 * NAME` or `disk NAME BYTES`, and is answered with `done` or the error.
 */
const [folder = ''] = process.argv.slice(2)
const components = JSON.parse(readFileSync(join(folder, 'components.json'), 'utf8')) as Component[]
/** A kubelet first checks whether it runs on an Amazon machine, and waits for an answer that never comes. */
const ENVIRONMENT = { ...process.env, AWS_EC2_METADATA_DISABLED: 'true' }
const running = new Map<string, ChildProcess>()

function start({ name, program, args }: Component): void {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', log, log], env: ENVIRONMENT })
  running.set(name, child)
  child.once('exit', () => running.get(name) === child && console.log(name))
}

async function stop(name: string): Promise<void> {
  const child = running.get(name)
  running.delete(name)
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** A disk of its own size for a volume. Created here, because the kubelet only sees the mounts of these namespaces. */
function makeDisk(name: string, bytes: string): void {
  const path = join(folder, 'disks', name)
  mkdirSync(path, { recursive: true })
  execFileSync('truncate', ['-s', bytes, `${path}.img`])
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', '-E', 'lazy_itable_init=1,lazy_journal_init=1', `${path}.img`])
  execFileSync('mount', ['-o', 'loop,nodev,nosuid', `${path}.img`, path])
  execFileSync('rmdir', [join(path, 'lost+found')])
}

async function obey(line: string): Promise<void> {
  const [verb, name = '', bytes = ''] = line.split(' ')
  if (verb === 'disk') return makeDisk(name, bytes)
  const component = components.find((one) => one.name === name)
  if (!component) throw new Error(`there is no ${name}`)
  await stop(name)
  if (verb === 'start') start(component)
}

for (const one of components) start(one)
createServer((socket) => {
  createInterface({ input: socket }).on('line', (line) => {
    obey(line).then(
      () => socket.end('done\n'),
      (error: Error) => socket.end(`${error.message}\n`),
    )
  })
}).listen(join(folder, 'control.sock'))
process.stdin.resume()
process.stdin.once('end', () => process.exit(0))
