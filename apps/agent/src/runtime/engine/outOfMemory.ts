import type Docker from 'dockerode'
import { runCommand } from '../../foundation/runCommand.ts'

const KILLED = 137
/** The kernel notes the memory first, then the program's end is noticed. */
const NOTICED_WITHIN_MS = 10_000

/**
 * Whether the kernel says that a container which was killed had used up its memory: on cgroup v1 podman does not learn of it. False as
 * well where the kernel's log cannot be read or has forgotten it.
 */
export async function ranOutOfMemory({ Id, State }: Docker.ContainerInspectInfo): Promise<boolean> {
  if (State.Running || State.ExitCode !== KILLED) return false
  const endedAt = Date.parse(State.FinishedAt)
  const { code, stdout } = await runCommand('dmesg', ['--time-format', 'iso'])
  return code === 0 && outOfMemoryTimes(stdout, Id).some((at) => Math.abs(endedAt - at) < NOTICED_WITHIN_MS)
}

/**
 * Unix milliseconds of the lines `<time> oom-kill:constraint=CONSTRAINT_MEMCG,…,task_memcg=/…/libpod-<id>,…` of one container, whether its own limit was
 * reached or that of its order.
 */
export function outOfMemoryTimes(kernelLog: string, containerId: string): number[] {
  return kernelLog
    .split('\n')
    .filter(
      (line) =>
        line.includes(' oom-kill:') && new RegExp(`constraint=CONSTRAINT_MEMCG,.*task_memcg=[^,]*${containerId}`).test(line),
    )
    .map((line) => Date.parse((line.split(' ')[0] ?? '').replace(',', '.')))
    .filter((at) => !Number.isNaN(at))
}
