import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@rackfair/testkit'
import type { StoreSettings } from '../../apps/platform/src/store/openStore.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

/** Starts a program that listens on `--port`; resolves once it answers at /healthz. */
export async function startProgram(args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const child = spawn(process.execPath, [...args, '--port', String(port)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const up = await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (up) return { child, url }
    await sleep(50)
  }
  throw new Error(`${args[0]} did not start`)
}

/** A platform that answers from this store, without a chain and without per-caller limits. */
export function startApi(settings: StoreSettings, folder: string): Promise<{ child: ChildProcess; url: string }> {
  const deployment = join(folder, 'deployment.json')
  const contracts = {
    access: address(1),
    registry: address(2),
    pledge: address(3),
    market: address(4),
    credit: address(5),
    monitors: address(6),
  }
  writeFileSync(deployment, JSON.stringify({ chainId: 2985, ...contracts }))
  const database = settings.databaseUrl ? ['--database-url', settings.databaseUrl] : ['--data', settings.dataFolder]
  const rest = ['--role', 'api', '--rate-scale', '0', '--rpc', 'http://127.0.0.1:9', '--deployment', deployment, ...database]
  return startProgram(['apps/platform/src/main.ts', ...rest])
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Processor time of a process so far, in seconds. */
export function cpuSeconds(child: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process in MB. */
export function memoryMb(child: ChildProcess): number {
  if (process.platform !== 'linux') return Number.NaN
  return (Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20
}
