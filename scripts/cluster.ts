import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildCluster } from '../packages/testkit/src/cluster/buildCluster.ts'
import { isBuilt } from '../packages/testkit/src/cluster/clusterBinaries.ts'
import { startCluster } from '../packages/testkit/src/cluster/startCluster.ts'
import { inNamespace, whyNoNamespace } from './test/networkNamespace.ts'

/**
 * `npm run cluster -- COMMAND [ARGUMENT ...]` builds Kubernetes if needed, starts a cluster of one node in namespaces of its own, runs the
 * command next to it with KUBECONFIG set (by default a shell), and stops the cluster when it exits. `--build` only builds.
 */
const INSIDE = '--inside'
const [first, ...rest] = process.argv.slice(2)

if (first === INSIDE) {
  const cluster = await startCluster()
  console.log(`A cluster of one node is up: KUBECONFIG=${cluster.kubeconfig.admin}`)
  const [command = 'sh', ...args] = rest
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig.admin, RACKFAIR_CLUSTER: cluster.folder }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  await cluster.stop()
  process.exitCode = status ?? 1
} else {
  if (first === '--build' || !isBuilt()) buildCluster(console.log)
  if (first !== '--build') {
    const reason = whyNoNamespace()
    if (reason) throw new Error(`a cluster needs a network namespace of its own: ${reason}`)
    const command = [process.execPath, fileURLToPath(import.meta.url), INSIDE, ...process.argv.slice(2)]
    // Replaces this process with the command, so that a signal to either ends both.
    process.execve?.('/usr/bin/env', ['env', ...inNamespace(command)])
  }
}
