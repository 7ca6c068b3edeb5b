import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The binaries built here; the rest are Debian's own. */
export const BUILT = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet'] as const
export const KUBERNETES_VERSION = '1.20.2'
/** Incremented with each change of the build. */
const BUILD = 1
/** Per machine, not per checkout: it takes minutes to build, and is the same for every checkout. */
export const CLUSTER_FOLDER = join(homedir(), '.cache', 'rackfair', `kubernetes-${KUBERNETES_VERSION}-r${BUILD}`)
export const BUILD_COMMAND = 'npm run cluster -- --build'
const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
/** Debian packages that a cluster runs on. Its kubectl cannot be unpacked over one from another package. */
export const runPackages = (): string[] => [
  ...['etcd-server', 'containerd', 'runc', 'containernetworking-plugins', 'openssl'],
  ...(hasProgram('kubectl') ? [] : ['kubernetes-client']),
]
const DEBIANS = ['etcd', 'containerd', 'runc', 'kubectl', 'openssl', '/usr/lib/cni/bridge', '/usr/lib/cni/host-local']

export const isBuilt = (): boolean => [...BUILT, 'pause'].every((name) => existsSync(join(CLUSTER_FOLDER, name)))

/** Why this process cannot start a cluster; undefined if it can. */
export function whyNoCluster(): string | undefined {
  if (process.getuid?.() !== 0) return 'a cluster needs root here'
  if (!isBuilt()) return `Kubernetes is not built on this machine: ${BUILD_COMMAND}`
  const missing = DEBIANS.find((name) => !hasProgram(name))
  if (missing) return `${missing} is not installed: ${BUILD_COMMAND}`
  // It takes addresses and creates pod networks, which conflict with nothing there.
  if (!process.env.RACKFAIR_NAMESPACE) return 'a cluster runs in a network namespace of its own only: npm run cluster -- COMMAND'
  return undefined
}
