import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { builtProgram } from './build/builtProgram.ts'
import { SYSTEM_PACKAGES } from './systemPackages.mjs'

/**
 * Builds the agent that providers install: `node scripts/packAgent.ts --to FOLDER` writes an npm package without dependencies, a Debian
 * package, and the build folder of a container; the last two also include the Node it runs on. All contain the same bundle, with the
 * catalogue and the licences of what it contains.
 */
const USAGE = `Usage: node scripts/packAgent.ts --to FOLDER [--npm] [--deb] [--container] [--version X.Y.Z]

Builds the npm package, the Debian package and the container's folder of the agent, or those that are named, and prints where they are.`

const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch

/** After an upgrade the new agent takes over; the containers of its orders keep running. A first installation has no unit yet. */
const POSTINST = `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ] && [ -e /etc/systemd/system/rackfair-agent.service ]; then
  systemctl daemon-reload
  systemctl try-restart rackfair-agent.service
fi
`

/**
 * Removes everything that the agent created on the machine, and refuses while there are orders. Keys, configuration and evidence are left
 * for the owner to delete.
 */
const PRERM = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -e /etc/rackfair/agent.json ]; then
  rackfair-agent service uninstall || {
    echo 'Nothing was removed. End the orders first, or lose what is pledged for them: rackfair-agent service uninstall --force' >&2
    exit 1
  }
fi
`

/** When this is run, nothing is running any more. A platform or a monitor may have its files in the same folder. */
const POSTRM = `#!/bin/sh
set -e
if [ "$1" = purge ]; then
  rm -rf /etc/rackfair/data
  rm -f /etc/rackfair/agent.json /etc/rackfair/operator.key
  rmdir --ignore-fail-on-non-empty /etc/rackfair 2> /dev/null || true
fi
`

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const room = join(root, 'apps/agent')
const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    npm: { type: 'boolean' },
    deb: { type: 'boolean' },
    container: { type: 'boolean' },
    version: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const manifest = JSON.parse(readFileSync(join(room, 'package.json'), 'utf8')) as { version: string; license: string }
const version = values.version ?? manifest.version
if (values.to === undefined || values.help || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}
const to = resolve(values.to)
mkdirSync(to, { recursive: true })
const stage = mkdtempSync(join(tmpdir(), 'rackfair-agent-package-'))
try {
  const all = !values.npm && !values.deb && !values.container
  await packProgram(join(stage, 'package'))
  if (all || values.npm) console.log(packNpm(join(stage, 'package')))
  if (all || values.deb) console.log(packDeb(join(stage, 'package')))
  if (all || values.container) console.log(packContainer(join(stage, 'package')))
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** The program with its manifest: one folder that needs nothing but Node. */
async function packProgram(folder: string): Promise<void> {
  cpSync(dirname(await builtProgram('agent')), join(folder, 'dist'), { recursive: true })
  // What the agent reports as its own.
  writeFileSync(join(folder, 'dist/version.txt'), version)
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(folder, file))
  cpSync(join(root, 'apps/agent/README.md'), join(folder, 'README.md'))
  const published = {
    ...{ name: '@rackfair/agent', version, license: manifest.license, type: 'module', engines: { node: '>=24' } },
    ...{ bin: { 'rackfair-agent': './dist/main.mjs' }, files: ['dist', 'NOTICE'] },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

function packNpm(folder: string): string {
  run('pnpm', ['pack', '--pack-destination', to], folder)
  return join(to, `rackfair-agent-${version}.tgz`)
}

function packDeb(folder: string): string {
  const tree = join(stage, 'deb')
  withNode(folder, tree, 'usr/lib/rackfair-agent', 'usr/bin/rackfair-agent')
  write(tree, 'DEBIAN/control', controlFile())
  write(tree, 'DEBIAN/postinst', POSTINST, 0o755)
  write(tree, 'DEBIAN/prerm', PRERM, 0o755)
  write(tree, 'DEBIAN/postrm', POSTRM, 0o755)
  const file = join(to, `rackfair-agent_${version}_${ARCHITECTURE}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z3', '--build', tree, file], stage)
  return file
}

/** The build context of `deploy/agent/Containerfile`. */
function packContainer(folder: string): string {
  const place = join(to, 'rackfair-agent-container')
  rmSync(place, { recursive: true, force: true })
  cpSync(join(root, 'deploy/agent'), place, { recursive: true })
  const inside = join(stage, 'container')
  withNode(folder, inside, 'opt/rackfair-agent', 'opt/rackfair-agent/bin/rackfair-agent')
  cpSync(join(inside, 'opt/rackfair-agent'), join(place, 'app'), { recursive: true })
  return place
}

/** Writes the bundle with the Node it was tested with, and the command, in a tree to be installed at `/`. */
function withNode(folder: string, tree: string, home: string, command: string): void {
  cpSync(folder, join(tree, home), { recursive: true })
  mkdirSync(join(tree, home, 'bin'))
  cpSync(process.execPath, join(tree, home, 'bin/node'), { dereference: true })
  write(tree, command, `#!/bin/sh\nexec /${home}/bin/node /${home}/dist/main.mjs "$@"\n`, 0o755)
}

function controlFile(): string {
  return `Package: rackfair-agent
Version: ${version}
Architecture: ${ARCHITECTURE}
Maintainer: Rackfair <noreply@rackfair.invalid>
Section: admin
Priority: optional
Depends: ${SYSTEM_PACKAGES.provider.join(', ')}
Recommends: openssh-sftp-server
Description: runs the orders of the Rackfair market on this machine
 Starts what buyers of this machine sign for, in containers that are kept apart
 from each other and from the machine. Begin with: rackfair-agent init
`
}

function write(tree: string, place: string, text: string, mode = 0o644): void {
  const file = join(tree, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error?.message}:\n${stdout}${stderr}`)
}
