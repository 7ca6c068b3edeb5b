import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT, CLUSTER_FOLDER, isBuilt, KUBERNETES_VERSION, runPackages } from './clusterBinaries.ts'

/** Without rsync the build fails silently. */
const BUILD_PACKAGES = ['golang-1.19-go', 'rsync', 'jq', 'make', 'gcc', 'libc6-dev', 'dpkg-dev'] as const
const SOURCES = 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n'

/**
 * Builds Kubernetes from Debian's source package, once per machine: about 400 seconds of processor time, 1.4 GB of disk during the build
 * and 400 MB afterwards. Needs root and Debian 12. Runs at low priority, so other work on the machine goes first.
 */
export function buildCluster(say: (line: string) => void): void {
  say('Installing the packages that it is built with and runs on ...')
  run('apt-get', ['update', '-q'])
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...BUILD_PACKAGES, ...runPackages()], {
    DEBIAN_FRONTEND: 'noninteractive',
  })
  if (isBuilt()) {
    say(`Kubernetes ${KUBERNETES_VERSION} is in ${CLUSTER_FOLDER}.`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-kubernetes-'))
  try {
    const source = fetchSource(folder)
    const tree = join(source, '.go', 'src', 'k8s.io', 'kubernetes')
    mkdirSync(join(tree, '..'), { recursive: true })
    symlinkSync(source, tree)
    mend(source)
    const [major, minor] = KUBERNETES_VERSION.split('.')
    const versionFile = join(folder, 'version')
    const version = { COMMIT: 'debian', TREE_STATE: 'clean', VERSION: `v${KUBERNETES_VERSION}`, MAJOR: major, MINOR: minor }
    writeFileSync(
      versionFile,
      Object.entries(version)
        .map(([name, value]) => `KUBE_GIT_${name}=${value}\n`)
        .join(''),
    )
    mkdirSync(CLUSTER_FOLDER, { recursive: true })
    for (const name of BUILT) {
      say(`Building ${name} ...`)
      const env = {
        ...{ PATH: `/usr/lib/go-1.19/bin:${process.env.PATH}`, GOPATH: join(source, '.go'), HOME: folder },
        ...{ CGO_ENABLED: '0', GOPROXY: 'off', GOFLAGS: '', KUBE_GIT_VERSION_FILE: versionFile, PWD: tree },
      }
      run('nice', ['-n', '15', 'make', `WHAT=cmd/${name}`], env, tree)
      keep(join(source, '_output', 'local', 'go', 'bin', name), name)
    }
    run('gcc', ['-Os', '-static', '-o', join(folder, 'pause'), join(source, 'build', 'pause', 'linux', 'pause.c')])
    keep(join(folder, 'pause'), 'pause')
    say(`Kubernetes ${KUBERNETES_VERSION} is in ${CLUSTER_FOLDER}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks Debian's source package. The machine's own package lists are not changed. */
function fetchSource(folder: string): string {
  const list = join(folder, 'sources.list')
  writeFileSync(list, SOURCES)
  const lists = join(folder, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  const options = ['SourceList', 'SourceParts'].map((name) => `Dir::Etc::${name}=${name === 'SourceList' ? list : '/dev/null'}`)
  const own = [...options, `Dir::State::Lists=${lists}`].flatMap((option) => ['-o', option])
  run('apt-get', [...own, 'update', '-q'])
  run('apt-get', [...own, '-q', 'source', '--download-only', 'kubernetes'], {}, folder)
  const description = readdirSync(folder).find((name) => name.endsWith('.dsc')) as string
  const source = join(folder, 'source')
  run('dpkg-source', ['-x', description, source], {}, folder)
  return source
}

/**
 * A library in it (reflect2 1.0.1) calls the Go runtime's internal map iteration as it was before 1.18. With Debian's Go 1.19 that writes
 * through a stale register, and crashes an API server within minutes.
 */
function mend(source: string): void {
  const folder = join(source, 'vendor', 'github.com', 'modern-go', 'reflect2')
  const replace = (file: string, from: string, to: string) => {
    const text = readFileSync(join(folder, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} of reflect2 is not as it was`)
    writeFileSync(join(folder, file), text.replace(from, to))
  }
  replace('unsafe_link.go', 'm unsafe.Pointer) *hiter', 'm unsafe.Pointer, it *hiter)')
  replace(
    'unsafe_link.go',
    '\t// rest fields are ignored\n',
    `\tt, h, buckets, bptr unsafe.Pointer
\toverflow, oldoverflow *[]unsafe.Pointer
\tstartBucket uintptr
\toffset uint8
\twrapped bool
\tb, i uint8
\tbucket, checkBucket uintptr
`,
  )
  replace(
    'unsafe_map.go',
    '\treturn &UnsafeMapIterator{',
    '\tvar it hiter\n\tmapiterinit(type2.rtype, *(*unsafe.Pointer)(obj), &it)\n\treturn &UnsafeMapIterator{',
  )
  replace('unsafe_map.go', 'mapiterinit(type2.rtype, *(*unsafe.Pointer)(obj)),', '&it,')
}

/** An interrupted build leaves no partial binary. */
function keep(from: string, name: string): void {
  const next = join(CLUSTER_FOLDER, `.${name}.${process.pid}`)
  copyFileSync(from, next)
  renameSync(next, join(CLUSTER_FOLDER, name))
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}, cwd = '/'): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd: existsSync(cwd) ? cwd : '/', env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 28 },
  })
  if (status === 0) return
  throw new Error(error?.message ?? `${program} ${args.join(' ')} ended with ${status}:\n${`${stdout}${stderr}`.slice(-3000)}`)
}
