import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeCgroups, removeCgroups } from '../cgroups.ts'
import { makeCertificates } from './certificates.ts'
import { CLUSTER_FOLDER, whyNoCluster } from './clusterBinaries.ts'
import {
  API_URL,
  type ClusterTokens,
  kubeconfig,
  NODE_ADDRESS,
  NODE_NAME,
  PAUSE_IMAGE,
  SERVICE_ADDRESS,
  writeComponents,
} from './components.ts'
import { type ImageConfig, importImage, rootOfOneProgram } from './imageArchive.ts'

/**
 * Own mount and process namespaces: whatever the programs leave behind ends with them. The shell stays as the first process, to reap
 * orphans. DNS lookups fail immediately, since no answer could arrive.
 */
const SETUP = `
set -e
folder=$1; shift
mount --make-rshared /
for path in /var/lib/cni /run/netns /run/containerd /var/lib/kubelet /var/log/containers "$folder/etcd"; do
  mkdir -p "$path"; mount -t tmpfs tmpfs "$path"
done
mkdir -p /var/log/pods; mount --bind "$folder/pods" /var/log/pods
echo 'nameserver 127.0.0.1' >"$folder/resolv.conf"; mount --bind "$folder/resolv.conf" /etc/resolv.conf
set +e
"$@"
exit $?
`
const UNSHARE = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', SETUP, 'cluster']
/** Timeout for a hanging start; a busy machine needs a minute. */
const START_MS = 300_000

export type ClusterComponent = 'containerd' | 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kubelet'

/** Operations on a cluster from any process of the machine, by its folder. */
export interface Cluster {
  /** kubeconfig files: of an admin, and of a user `rackfair-agent` without any rights yet. */
  kubeconfig: { admin: string; agent: string }
  folder: string
  nodeAddress: string
  /** An API call as admin. */
  call(method: string, path: string, body?: unknown, contentType?: string): Promise<{ status: number; body: unknown }>
  /** Imports an image on the node: the whole root as a tar file. */
  addImage(rootTar: string, name: string, config: ImageConfig): Promise<void>
  /** Creates this many disks of that size, each for one volume of the storage class `disks`. */
  addDisks(count: number, bytes: number): Promise<void>
  halt(component: ClusterComponent): Promise<void>
  resume(component: ClusterComponent): Promise<void>
}

/** A real Kubernetes of one node: etcd, API server, controllers, scheduler, containerd, kubelet. Resolves when the node is Ready. */
export async function startCluster(): Promise<Cluster & { stop(): Promise<void> }> {
  const reason = whyNoCluster()
  if (reason) throw new Error(reason)
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-cluster-'))
  for (const name of ['cni', 'etcd', 'pods', 'kubelet', 'disks']) mkdirSync(join(folder, name))
  const tokens = Object.fromEntries(
    ['admin', 'agent', 'controllers', 'scheduler', 'kubelet'].map((name) => [name, randomBytes(16).toString('hex')]),
  ) as unknown as ClusterTokens
  const cgroup = `rackfair-${randomBytes(3).toString('hex')}`
  makeCgroups(cgroup)
  makeAddress()
  makeCertificates(folder, [NODE_ADDRESS, '127.0.0.1', SERVICE_ADDRESS])
  kubeconfig(folder, 'admin', tokens.admin)
  kubeconfig(folder, 'agent', tokens.agent)
  writeFileSync(join(folder, 'components.json'), JSON.stringify(writeComponents(folder, tokens, `/${cgroup}`)))
  const programs = fileURLToPath(new URL('./runComponents.ts', import.meta.url))
  const child = spawn('unshare', [...UNSHARE, folder, process.execPath, programs, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = new Set<string>()
  createInterface({ input: child.stdout }).on('line', (name) => ended.add(name))
  const killWithThis = () => child.kill('SIGKILL')
  process.once('exit', killWithThis)

  const stop = async () => {
    process.off('exit', killWithThis)
    child.kill('SIGKILL')
    await gone
    await removeCgroups(cgroup)
    execFileSync('sh', ['-c', 'ip link delete pods0; ip link delete node0; exit 0'], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const cluster = attachCluster(folder)
    const until = (name: string, isThere: () => Promise<boolean>) => untilThere(ended, folder, name, isThere)
    await until('containerd', async () => existsSync(join(folder, 'containerd.sock')))
    await cluster.addImage(rootOfOneProgram(join(CLUSTER_FOLDER, 'pause'), folder), PAUSE_IMAGE, { Entrypoint: ['/pause'] })
    await until('kube-apiserver', async () => (await cluster.call('GET', '/readyz')).status === 200)
    await until('kubelet', async () => isReady((await cluster.call('GET', `/api/v1/nodes/${NODE_NAME}`)).body))
    return { ...cluster, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Attaches to the cluster that another process started in this folder, in the same network namespace. */
export function attachCluster(folder: string): Cluster {
  const ca = readFileSync(join(folder, 'ca.crt'), 'utf8')
  const file = (name: string) => join(folder, `${name}.kubeconfig`)
  const admin = JSON.parse(readFileSync(file('admin'), 'utf8')) as { users: { user: { token: string } }[] }
  const call: Cluster['call'] = (...args) => callApi(ca, admin.users[0]?.user.token ?? '', ...args)
  return {
    kubeconfig: { admin: file('admin'), agent: file('agent') },
    ...{ folder, nodeAddress: NODE_ADDRESS, call },
    addImage: (rootTar, name, config) => importImage(join(folder, 'containerd.sock'), rootTar, name, config),
    async addDisks(count, bytes) {
      await call('POST', '/apis/storage.k8s.io/v1/storageclasses', STORAGE_CLASS)
      for (let made = 0; made < count; made += 1) {
        const name = `disk-${randomBytes(6).toString('hex')}`
        await command(folder, `disk ${name} ${bytes}`)
        const { status, body } = await call('POST', '/api/v1/persistentvolumes', volume(name, join(folder, 'disks', name), bytes))
        if (status !== 201) throw new Error(JSON.stringify(body))
      }
    },
    halt: (component) => command(folder, `stop ${component}`),
    resume: (component) => command(folder, `start ${component}`),
  }
}

const STORAGE_CLASS = {
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'kubernetes.io/no-provisioner' },
  metadata: { name: 'disks', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
}

const volume = (name: string, path: string, bytes: number) => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
  spec: {
    ...{ capacity: { storage: String(bytes) }, accessModes: ['ReadWriteOnce'], storageClassName: 'disks', local: { path } },
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [NODE_NAME] }] }],
      },
    },
  },
})

function command(folder: string, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(folder, 'control.sock'), () => socket.write(`${line}\n`))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => (answer === 'done\n' ? resolve() : reject(new Error(`${line}: ${answer}`))))
  })
}

const isReady = (node: unknown): boolean =>
  (node as { status?: { conditions?: { type: string; status: string }[] } }).status?.conditions?.some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  ) ?? false

async function untilThere(
  ended: ReadonlySet<string>,
  folder: string,
  name: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + START_MS
  while (!(await isThere().catch(() => false))) {
    const dead = [...ended][0]
    if (dead || performance.now() > deadline) {
      const log = readFileSync(join(folder, `${dead ?? name}.log`), 'utf8')
      throw new Error(`${dead ?? name} ${dead ? 'ended' : 'does not come up'}:\n${log.slice(-2000)}`)
    }
    await sleep(200)
  }
}

function makeAddress(): void {
  execFileSync('ip', ['link', 'add', 'node0', 'type', 'bridge'])
  execFileSync('ip', ['address', 'add', `${NODE_ADDRESS}/32`, 'dev', 'node0'])
  execFileSync('ip', ['link', 'set', 'node0', 'up'])
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')
}

function callApi(ca: string, token: string, method: string, path: string, body?: unknown, contentType = 'application/json') {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': contentType }) }
    const asked = request(`${API_URL}${path}`, { method, headers, ca, timeout: 10_000 }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = answer.headers['content-type']?.startsWith('application/json')
        resolve({ status: answer.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
      })
    })
    asked.on('timeout', () => asked.destroy(new Error('the API server does not answer')))
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
