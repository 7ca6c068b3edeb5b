// The entry point of every command. Runs on any Node >= 18: fetches the Node and pnpm that the project needs, then runs the command with
// them.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usage } from './usage.mjs'

const NODE_RANGE = '24'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const toolchain = join(root, '.rackfair', 'toolchain')
const bin = join(toolchain, 'node_modules', '.bin')
const pnpmVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('@')[1]

const programs = {
  start: ['apps/market/src/main.ts'],
  dev: ['apps/market/src/main.ts', '--dev'],
  test: ['scripts/test.ts'],
  bench: ['bench/main.ts'],
  cluster: ['scripts/cluster.ts'],
}

/** Tools with a name of their own; any other is run as a program of the workspace, such as `node`. */
const tools = { reliability: ['packages/cli/src/main.ts', 'reliability'] }

const [command = 'start', ...args] = process.argv.slice(2)
const isHelp = (word) => word === '--help' || word === '-h'
// A tool prints its own help.
if (command === 'exec' ? args.length === 0 || isHelp(args[0]) : args.some(isHelp)) {
  console.log(usage(command))
  process.exit(0)
}
ensureToolchain()
ensurePackages()
if (command === 'exec') runTool(...args)
else if (programs[command]) run(nodePath(), [...programs[command], ...args])
else fail(`There is no command "${command}".`, usage('start'))

/** Node and pnpm are kept in the checkout, because npx queries the registry at every start and hangs without a network. */
function ensureToolchain() {
  const wanted = `node@${NODE_RANGE} pnpm@${pnpmVersion}`
  const stamp = join(toolchain, 'installed.txt')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && versionOf(nodePath()).startsWith(`v${NODE_RANGE}.`)) return
  refuseWithoutInstall(`Node ${NODE_RANGE} and pnpm ${pnpmVersion} in ${toolchain}`)
  console.log(`Fetching Node ${NODE_RANGE} and pnpm ${pnpmVersion} (once, about 50 MB) ...`)
  rmSync(toolchain, { recursive: true, force: true })
  mkdirSync(toolchain, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const done = spawnSync(
    npm,
    ['install', '--prefix', toolchain, '--no-audit', '--no-fund', '--loglevel=error', ...wanted.split(' ')],
    { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  )
  if (done.status !== 0 || !versionOf(nodePath()).startsWith(`v${NODE_RANGE}.`)) {
    fail(
      'Node and pnpm could not be fetched with npm.',
      'Check that the npm registry can be reached ("npm ping"), then start again. Nothing was changed.',
    )
  }
  writeFileSync(stamp, wanted)
}

function ensurePackages() {
  const stamp = join(toolchain, 'packages.txt')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(join(root, 'node_modules', '.modules.yaml')))
    return
  refuseWithoutInstall('the npm packages of pnpm-lock.yaml')
  console.log('Installing packages (the first time takes a minute) ...')
  const done = spawnSync(join(bin, 'pnpm'), ['install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) {
    console.error(`${done.stdout}${done.stderr}`.slice(-3000))
    fail(
      'The packages could not be installed; the lines above say why.',
      'Check that the npm registry can be reached, then start again.',
    )
  }
  writeFileSync(stamp, wanted)
}

function refuseWithoutInstall(what) {
  if (args.includes('--no-install')) fail(`Missing: ${what}.`, 'Start once without --no-install to fetch it.')
}

function runTool(name, ...rest) {
  if (tools[name]) run(nodePath(), [...tools[name], ...rest])
  else if (name === 'node') run(nodePath(), rest)
  else run('pnpm', ['exec', name, ...rest])
}

function run(program, programArgs) {
  const child = spawn(program === 'pnpm' ? join(bin, 'pnpm') : program, programArgs, {
    cwd: root,
    env: environment(),
    stdio: 'inherit',
  })
  // Ctrl-C reaches the child directly; a signal sent only to this process has to be forwarded.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
  child.on('error', (error) => fail(`${program} could not be started: ${error.message}`, ''))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function nodePath() {
  return join(toolchain, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function versionOf(program) {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
}

function environment() {
  const nodeBin = dirname(nodePath())
  return {
    // A market is four TypeScript programs: with compiled code cached, its second start takes a quarter less.
    NODE_COMPILE_CACHE: join(toolchain, 'compiled'),
    ...process.env,
    PATH: [nodeBin, bin, process.env.PATH].join(delimiter),
    npm_config_update_notifier: 'false',
  }
}

function fail(what, whatToDo) {
  console.error(`\n${what}\n${whatToDo}`)
  process.exit(1)
}
