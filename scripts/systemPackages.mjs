#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const ENGINE = ['podman', 'runc', 'netavark', 'catatonit', 'nftables', 'iptables', 'lxcfs', 'iproute2', 'e2fsprogs', 'mmdebstrap']

/** Installed with the others; without it only an order's files are unavailable. */
const WELCOME = ['openssh-sftp-server']

/** The Debian packages needed for each purpose. */
export const SYSTEM_PACKAGES = {
  provider: ENGINE,
  test: [
    ...[...ENGINE, 'chromium-headless-shell', 'postgresql', 'prometheus', 'z3', 'fonts-noto-cjk'],
    // For renters' images and clients: a registry with passwords, gVisor, the clients of applications and of SSH.
    ...['docker-registry', 'apache2-utils', 'runsc', 'redis-tools', 'curl', 'openssh-client', 'rsync', 'openssh-sftp-server'],
    // An authority for certificates by ACME.
    'pebble',
    // A name server that takes changes of providers.
    ...['knot', 'knot-dnsutils'],
    // Used in the guides for operators.
    ...['nginx-light', 'openssl', 'sqlite3', 'podman-compose', 'aardvark-dns'],
  ],
}

const DPKG_FORMAT = ['$', '{Package} $', '{db:Status-Status}\\n'].join('')

/** Packages that another installed one can substitute. */
const SUBSTITUTES = {
  'fonts-noto-cjk': ['fonts-wqy-zenhei', 'fonts-wqy-microhei'],
  'chromium-headless-shell': ['google-chrome-stable'],
}

/** The packages of `purpose` that dpkg does not list as installed; `undefined` if there is no dpkg. */
export function missingPackages(purpose) {
  if (!isDebian()) return undefined
  const wanted = SYSTEM_PACKAGES[purpose]
  if (!wanted) throw new Error(`unknown purpose ${purpose}; one of ${Object.keys(SYSTEM_PACKAGES).join(', ')}`)
  const names = wanted.flatMap((name) => [name, ...(SUBSTITUTES[name] ?? [])])
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', DPKG_FORMAT, ...names], { encoding: 'utf8' })
  const installed = new Set(
    (stdout ?? '')
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  )
  return wanted.filter((name) => ![name, ...(SUBSTITUTES[name] ?? [])].some((one) => installed.has(one)))
}

/**
 * Ensures that the system packages of `purpose` are installed. Prints what is missing before it installs anything; installs only if
 * `install` is not false, as root, on Debian or Ubuntu. Never throws on a machine where that is impossible: `ok` is false and `reason` says
 * what the user has to do.
 */
export async function ensureSystemPackages({ purpose, install = true, log = console.log }) {
  const missing = missingPackages(purpose)
  if (missing === undefined) {
    const all = SYSTEM_PACKAGES[purpose]
    return unavailable(all, `this is not Debian or Ubuntu; install what these Debian packages hold: ${all.join(' ')}`)
  }
  if (missing.length === 0) return { ok: true, missing }
  const command = `apt-get install --no-install-recommends -y ${missing.join(' ')}`
  log(`System packages missing (${purpose}): ${missing.join(' ')}`)
  if (!install) return unavailable(missing, `not installing system packages; as root run: ${command}`)
  if (process.getuid?.() !== 0) return unavailable(missing, `not root; run: sudo ${command}`)
  log(`Installing ${missing.length} system package(s) and what they depend on ...`)
  // A third-party source that does not answer must not prevent the use of Debian's own.
  const updated = await apt(['update'], log)
  if (updated.code !== 0) log('apt-get update reported problems; continuing with the lists there are')
  const installed = await apt(['install', '--no-install-recommends', '-y', ...missing], log)
  if (installed.code === 0) await apt(['install', '--no-install-recommends', '-y', ...WELCOME], log)
  const left = missingPackages(purpose) ?? missing
  if (left.length === 0) return { ok: true, missing: left }
  return unavailable(left, `apt-get could not install ${left.join(' ')}: ${installed.lastError ?? `exit ${installed.code}`}`)
}

function unavailable(missing, reason) {
  return { ok: false, missing, reason }
}

function isDebian() {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-query') || !existsSync('/usr/bin/apt-get')) return false
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release)
}

function apt(args, log) {
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-o', 'DPkg::Lock::Timeout=600', '-o', 'Acquire::Retries=2', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let lastError
    const done = new Set()
    const read = (line) => {
      if (/^(E|W): /.test(line)) {
        if (line.startsWith('E: ')) lastError = line.slice(3)
        log(line)
        return
      }
      const step = /^(Get:\d+|Unpacking|Setting up)\s+(\S+)(?:\s+\S+\s+\S+\s+(\S+))?/.exec(line)
      const size = /^Need to get (.+) of archives|^After this operation, (.+) of additional/.exec(line)
      if (size) log(`  ${line}`)
      else if (step?.[1] === 'Setting up' && !done.has(step[2])) {
        done.add(step[2])
        log(`  set up ${step[2]}`)
      } else if (step?.[1]?.startsWith('Get:') && step[3] && args[0] === 'install') log(`  fetch ${step[3]}`)
    }
    lines(child.stdout, read)
    lines(child.stderr, read)
    child.on('error', (error) => resolve({ code: 1, lastError: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, lastError }))
  })
}

function lines(stream, onLine) {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) onLine(line)
  })
  stream.on('end', () => {
    if (rest) onLine(rest)
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2)
  const purpose = args.find((arg) => !arg.startsWith('-'))
  if (!purpose || !SYSTEM_PACKAGES[purpose] || args.includes('--help')) {
    console.log(`usage: node scripts/systemPackages.mjs <${Object.keys(SYSTEM_PACKAGES).join('|')}> [--no-install] [--json]`)
    process.exitCode = args.includes('--help') ? 0 : 2
  } else {
    const json = args.includes('--json')
    const log = json ? () => {} : console.log
    const result = await ensureSystemPackages({ purpose, install: !args.includes('--no-install'), log })
    if (json) console.log(JSON.stringify(result))
    else console.log(result.ok ? `All system packages for ${purpose} are installed.` : `Unavailable: ${result.reason}`)
    process.exitCode = result.ok ? 0 : 1
  }
}
