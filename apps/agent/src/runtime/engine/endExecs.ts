import { readdirSync, readFileSync } from 'node:fs'

/**
 * Ends the processes of podman that carry the commands run inside a container, its terminals among them, before the container is
 * stopped or removed. One that holds input for a program that never reads does not notice the program's end, and keeps the container's
 * first process from being let go.
 */
export function endExecs(containerId: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const spec = args[args.indexOf('--exec-process-spec') + 1]
      if (args.includes('--exec-process-spec') && spec?.includes(`/${containerId}/userdata/`))
        process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
