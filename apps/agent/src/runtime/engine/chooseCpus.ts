import { readFileSync } from 'node:fs'

/**
 * The processors for a container of so many cores, those that the fewest containers have: programs count the processors they may run
 * on, and start as many threads. `taken` are the choices of the other containers, as the kernel writes them.
 */
export function chooseCpus(cores: number, taken: readonly string[], available: readonly number[] = ownCpus()): string {
  const uses = new Map(available.map((cpu) => [cpu, 0]))
  for (const cpu of taken.flatMap(parseCpus)) uses.set(cpu, (uses.get(cpu) ?? 0) + 1)
  const chosen = [...available].sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0)).slice(0, Math.max(1, Math.ceil(cores)))
  return chosen.sort((a, b) => a - b).join(',')
}

/** `0-2,5` is 0, 1, 2, 5. */
export function parseCpus(list: string): number[] {
  return list
    .split(',')
    .filter((part) => /^\d+(-\d+)?$/.test(part))
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })
}

/** The processors that this process may run on. */
function ownCpus(): number[] {
  return parseCpus(/^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0')
}
