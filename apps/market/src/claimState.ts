import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

interface Claim {
  pid: number
  started: string
  children: { pid: number; started: string }[]
}

/**
 * Makes this process the only market on the state folder.
 *
 * A market that still runs there is an Error. What a market left behind that was killed itself is ended: only processes
 * that the claim names and that still have the start time it recorded, so a reused process id is never touched.
 */
export async function claimState(stateDir: string): Promise<{ setChildren: (pids: number[]) => void; release: () => void }> {
  mkdirSync(stateDir, { recursive: true })
  const file = join(stateDir, 'market.json')
  const previous = readClaim(file)
  if (previous && startTime(previous.pid) === previous.started) {
    throw new Error(`A market already runs on ${stateDir} (process ${previous.pid}). Stop it first, or use --state DIR.`)
  }
  for (const child of previous?.children ?? []) await end(child)

  const claim: Claim = { pid: process.pid, started: startTime(process.pid) ?? '', children: [] }
  // Written atomically: the next market kills the processes it names.
  const write = () => {
    writeFileSync(`${file}.next`, JSON.stringify(claim))
    renameSync(`${file}.next`, file)
  }
  write()
  return {
    setChildren(pids) {
      claim.children = pids.flatMap((pid) => {
        const started = startTime(pid)
        return started === undefined ? [] : [{ pid, started }]
      })
      write()
    },
    release: () => rmSync(file, { force: true }),
  }
}

function readClaim(file: string): Claim | undefined {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Claim) : undefined
  } catch {
    return undefined
  }
}

/** Clock ticks since boot at which the process started; undefined if it does not run or the system has no /proc. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

async function end(child: { pid: number; started: string }): Promise<void> {
  const alive = () => startTime(child.pid) === child.started
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!alive()) return
    process.kill(child.pid, signal)
    for (let waited = 0; waited < 5000 && alive(); waited += 50) await sleep(50)
  }
}
