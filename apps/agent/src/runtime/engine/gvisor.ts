import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { runCommand } from '../../foundation/runCommand.ts'

/** In the configuration that podman writes for a container: nothing of the renter's can look like it, its quotes are escaped there. */
export const SANDBOX_ANNOTATION = 'rackfair.sandbox'
const TRY_MS = 60_000
/** What the kernel of this version says it is, whatever the machine's own is. */
const GUEST_KERNEL = /^4\.4\.0$/

/** The folder lies under /run and is empty after a start of the machine, as the containers are gone then. */
const stateOf = (run: string): string => join(run, 'gvisor')
const launcherOf = (data: string): string => join(data, 'bin', 'runc')

/**
 * podman knows one runtime a service and passes over one that a container asks for. So it is given this program, which hands each call on
 * to runc, or to runsc for a container whose configuration says so. It has the name of runc, of which podman knows what it understands.
 * ptrace because it needs nothing of the machine; the network is the namespace that podman made, with the walls in it.
 */
const launcher = (state: string, runc: string, runsc: string): string => `#!/bin/sh
state='${state}'
sandboxed= bundle= before= id=
for word in "$@"; do
  case $before in --bundle | -b) bundle=$word ;; esac
  before=$word
  case $word in *[!0-9a-f]* | '') continue ;; esac
  [ \${#word} = 64 ] && [ -z "$id" ] && id=$word
done
[ -n "$id" ] && [ -e "$state/ids/$id" ] && sandboxed=1
if [ -n "$bundle" ] && grep -q '"${SANDBOX_ANNOTATION}":"gvisor"' "$bundle/config.json"; then
  mkdir -p "$state/ids" && : > "$state/ids/$id" || exit 1
  sandboxed=1
fi
[ -n "$sandboxed" ] || exec '${runc}' "$@"
# This runsc knows no --tty: it makes a terminal where it is given a socket for one.
seen=
for word in "$@"; do
  shift
  [ "$word" = "$id" ] && seen=1
  [ -z "$seen" ] && { [ "$word" = --tty ] || [ "$word" = -t ]; } && continue
  set -- "$@" "$word"
done
exec '${runsc}' --root "$state/containers" --platform=ptrace --network=host --oci-seccomp "$@"
`

/** The program that the engine of an agent starts containers with; without gVisor on this machine it is runc itself. */
export function launcherPath(data: string): string {
  return existsSync(launcherOf(data)) ? launcherOf(data) : 'runc'
}

/** Writes the launcher where runsc is installed. Before the engine starts. */
export async function prepareLauncher(data: string, run: string): Promise<void> {
  const [runc, runsc] = await Promise.all(['runc', 'runsc'].map(whereIs))
  if (!runc || !runsc) return
  mkdirSync(join(data, 'bin'), { recursive: true, mode: 0o700 })
  writeFileSync(launcherOf(data), launcher(stateOf(run), runc, runsc))
  chmodSync(launcherOf(data), 0o700)
}

/** Why containers cannot be put behind a kernel of their own here; undefined when one was started and they can. */
export async function whyNoGvisor(data: string): Promise<string | undefined> {
  const runsc = await whereIs('runsc')
  if (!runsc || !existsSync(launcherOf(data))) return 'runsc is not installed'
  const { code, stdout, stderr } = await runCommand(
    runsc,
    ['--rootless=false', '--platform=ptrace', '--network=none', '--ignore-cgroups', 'do', 'uname', '-r'],
    { timeoutMs: TRY_MS },
  )
  if (code === 0 && GUEST_KERNEL.test(stdout.trim())) return undefined
  return `runsc does not start: ${(stderr.trim() || stdout.trim() || `code ${code}`).slice(-200)}`
}

/** @throws AppError `isolation_unavailable` where the engine started a container with another runtime than was asked for. */
export function assertSandboxed(run: string, containerId: string): void {
  if (!existsSync(join(stateOf(run), 'ids', containerId)))
    throw new AppError('isolation_unavailable', 'the engine did not put the container behind gVisor; it was not started')
}

async function whereIs(program: string): Promise<string | undefined> {
  const { code, stdout } = await runCommand('sh', ['-c', `command -v ${program}`])
  return code === 0 ? stdout.trim() : undefined
}
