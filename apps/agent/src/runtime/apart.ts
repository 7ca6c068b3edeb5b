import { spawn, spawnSync } from 'node:child_process'

/**
 * The first process reaps orphans. The machine's shared memory, where podman keeps its locks, is not there, and names of networks that
 * end with their mounts do not stay behind.
 */
const SETUP = `
mkdir -p /run/netns
for folder in /dev/shm /run/netns; do mount -t tmpfs tmpfs "$folder" || exit 1; done
"$@"
exit $?
`
const UNSHARE = ['unshare', '--mount', '--propagation', 'slave', '--pid', '--fork', '--kill-child', '--mount-proc']
/** Says that this process was started by `runApart`. */
const MARK = 'RACKFAIR_APART'

/**
 * `command`, wrapped so that what it mounts and starts ends with it, and it with this process: the kernel sees to that even where one
 * of them is killed. Root only.
 * @example runCommand('nice', apart(['mmdebstrap', 'bookworm', 'debian.tar']))
 */
export const apart = (command: readonly string[]): string[] => [
  ...['setpriv', '--pdeathsig', 'KILL', ...UNSHARE, 'sh', '-c', SETUP, 'apart'],
  ...command,
]

/**
 * Runs the command line of this process once more, apart, and takes over its exit code. Answers false where it already is, or where this
 * machine refuses: what needs mounts fails there anyway, and says so.
 */
export async function runApart(): Promise<boolean> {
  if (process.env[MARK] || process.getuid?.() !== 0) return false
  const [trial = '', ...args] = apart(['true'])
  if (spawnSync(trial, args, { stdio: 'ignore' }).status !== 0) return false
  const [program = '', ...rest] = apart([process.execPath, ...process.execArgv, ...process.argv.slice(1)])
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...process.env, [MARK]: '1' } })
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
  return true
}
