import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLUSTER_FOLDER } from './clusterBinaries.ts'

/** In TEST-NET-1, which is unused. */
export const NODE_ADDRESS = '192.0.2.1'
export const NODE_NAME = 'node-1'
export const POD_CIDR = '10.244.0.0/24'
const SERVICE_CIDR = '10.96.0.0/16'
export const SERVICE_ADDRESS = '10.96.0.1'
export const API_URL = `https://${NODE_ADDRESS}:6443`
export const PAUSE_IMAGE = 'localhost/rackfair/pause:1'

export interface Component {
  name: string
  program: string
  args: string[]
}

export interface ClusterTokens {
  admin: string
  agent: string
  controllers: string
  scheduler: string
  kubelet: string
}

/** The pod network: one bridge for all, as set up by Debian's plugins; it enforces no policy. */
const NETWORK = {
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      ...{ type: 'bridge', bridge: 'pods0', isGateway: true, ipMasq: false, hairpinMode: true },
      ipam: { type: 'host-local', ranges: [[{ subnet: POD_CIDR }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
  ],
}

/** A kubeconfig for one user of the cluster. */
export function kubeconfig(folder: string, name: string, token: string): string {
  const file = join(folder, `${name}.kubeconfig`)
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
    clusters: [{ name: 'test', cluster: { server: API_URL, 'certificate-authority': join(folder, 'ca.crt') } }],
    users: [{ name, user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

/** Writes the configuration of every program, and returns how to start each, in order. */
export function writeComponents(folder: string, tokens: ClusterTokens, cgroup: string): Component[] {
  const file = (name: string) => join(folder, name)
  const users = [
    `${tokens.admin},admin,1,"system:masters"`,
    `${tokens.agent},rackfair-agent,2`,
    `${tokens.controllers},system:kube-controller-manager,3`,
    `${tokens.scheduler},system:kube-scheduler,4`,
    `${tokens.kubelet},system:node:${NODE_NAME},5,"system:nodes"`,
  ]
  writeFileSync(file('tokens.csv'), `${users.join('\n')}\n`, { mode: 0o600 })
  writeFileSync(file('cni/10-pods.conflist'), JSON.stringify(NETWORK))
  writeFileSync(file('containerd.toml'), containerdConfig(folder))
  writeFileSync(file('kubelet.json'), JSON.stringify(kubeletConfig(folder, cgroup)))
  const kube = (name: string, ...args: string[]): Component => ({ name, program: join(CLUSTER_FOLDER, name), args })
  return [
    { name: 'containerd', program: 'containerd', args: ['--config', file('containerd.toml')] },
    {
      name: 'etcd',
      program: 'etcd',
      args: [
        ...['--data-dir', file('etcd/data'), '--listen-client-urls', 'http://127.0.0.1:2379'],
        ...['--advertise-client-urls', 'http://127.0.0.1:2379', '--listen-peer-urls', 'http://127.0.0.1:2380'],
      ],
    },
    kube(
      'kube-apiserver',
      ...['--etcd-servers=http://127.0.0.1:2379', `--advertise-address=${NODE_ADDRESS}`, '--secure-port=6443'],
      ...[`--service-cluster-ip-range=${SERVICE_CIDR}`, `--token-auth-file=${file('tokens.csv')}`],
      ...['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction', '--allow-privileged=false'],
      ...[`--client-ca-file=${file('ca.crt')}`, `--tls-cert-file=${file('server.crt')}`],
      ...[`--tls-private-key-file=${file('server.key')}`, '--kubelet-preferred-address-types=InternalIP'],
      ...[`--kubelet-client-certificate=${file('kubelet-client.crt')}`, `--kubelet-client-key=${file('kubelet-client.key')}`],
      ...['--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${file('accounts.key')}`],
      `--service-account-signing-key-file=${file('accounts.key')}`,
    ),
    kube(
      'kube-controller-manager',
      ...[`--kubeconfig=${kubeconfig(folder, 'controllers', tokens.controllers)}`, '--leader-elect=false'],
      ...[`--service-account-private-key-file=${file('accounts.key')}`, `--root-ca-file=${file('ca.crt')}`],
      ...['--use-service-account-credentials', '--node-monitor-grace-period=20s'],
      // It starts twenty controllers, each with its own API calls.
      ...['--kube-api-qps=200', '--kube-api-burst=400', '--pvclaimbinder-sync-period=1s'],
    ),
    kube('kube-scheduler', `--kubeconfig=${kubeconfig(folder, 'scheduler', tokens.scheduler)}`, '--leader-elect=false'),
    kube(
      'kubelet',
      ...[`--config=${file('kubelet.json')}`, `--kubeconfig=${kubeconfig(folder, 'kubelet', tokens.kubelet)}`],
      ...['--container-runtime=remote', `--container-runtime-endpoint=unix://${file('containerd.sock')}`],
      ...[`--hostname-override=${NODE_NAME}`, `--node-ip=${NODE_ADDRESS}`, `--root-dir=${file('kubelet')}`],
      ...[`--pod-infra-container-image=${PAUSE_IMAGE}`, '--node-labels=rackfair.io/pool=cpu'],
      // To attribute the traffic of pods.
      `--containerd=${file('containerd.sock')}`,
    ),
  ]
}

function containerdConfig(folder: string): string {
  return `version = 2
root = "${folder}/containerd"
state = "/run/containerd"
[grpc]
  address = "${folder}/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
`
}

function kubeletConfig(folder: string, cgroup: string) {
  return {
    ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
    authentication: { anonymous: { enabled: false }, webhook: { enabled: false }, x509: { clientCAFile: `${folder}/ca.crt` } },
    authorization: { mode: 'AlwaysAllow' },
    ...{ cgroupDriver: 'cgroupfs', cgroupRoot: cgroup, failSwapOn: false, makeIPTablesUtilChains: false, oomScoreAdj: 0 },
    ...{ podPidsLimit: 512, maxPods: 250, containerLogMaxSize: '4Mi', resolvConf: '', port: 10_250, readOnlyPort: 0 },
    // The machine is shared with other work.
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%', 'nodefs.inodesFree': '1%' },
    ...{ imageGCHighThresholdPercent: 100, registryPullQPS: 0, registryBurst: 100, serializeImagePulls: false },
    ...{ syncFrequency: '10s', volumeStatsAggPeriod: '2s', nodeStatusUpdateFrequency: '4s', kubeAPIQPS: 100, kubeAPIBurst: 200 },
  }
}
