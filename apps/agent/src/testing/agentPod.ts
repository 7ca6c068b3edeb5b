import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cluster } from '@rackfair/testkit'
import { generatePrivateKey } from 'viem/accounts'
import { guideBlocks } from './guideText.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const BASE = 'docker.io/library/debian:bookworm-slim'
const LONG_MS = 300_000

/**
 * An agent as a pod of a cluster, by the commands of the guide for providers. Different here: the Debian of the recipe is a local tar file,
 * the node gets the image directly instead of from a registry, and what `asHere` replaces.
 */
export async function startAgentPod(cluster: Cluster, debianTar: string, config: object) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-agent-pod-'))
  const at = (...names: string[]) => join(folder, ...names)
  const env = { ...process.env, PATH: `${at('bin')}:${process.env.PATH}`, KUBECONFIG: cluster.kubeconfig.admin }
  const shell = (script: string) =>
    execFileSync('sh', ['-ec', script], { cwd: ROOT, env, encoding: 'utf8', timeout: LONG_MS, stdio: ['ignore', 'pipe', 'pipe'] })
  const inside = (...words: string[]) => {
    const args = ['--namespace=rackfair-agent', 'exec', 'deployment/agent', '--', ...words]
    return execFileSync('kubectl', args, { env, encoding: 'utf8', timeout: LONG_MS })
  }
  const close = () => {
    shell(`grep -F " ${folder}/" /proc/self/mounts | cut -d " " -f 2 | tac | xargs -r umount -l`)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    mkdirSync(at('bin'))
    const own = ['root', 'runroot', 'tmpdir'].map((option) => `--${option}=${at(option)}`)
    writeFileSync(at('bin', 'podman'), `#!/bin/sh\nexec /usr/bin/podman ${own.join(' ')} --cgroup-manager=cgroupfs "$@"\n`)
    chmodSync(at('bin', 'podman'), 0o755)
    const manifest = readFileSync(join(ROOT, 'deploy/kubernetes/agent.yaml'), 'utf8')
    writeFileSync(at('agent.yaml'), asHere(manifest, cluster.nodeAddress))
    writeFileSync(at('agent.json'), JSON.stringify({ ...config, operatorKeyFile: '/etc/rackfair/operator.key' }))
    writeFileSync(at('operator.key'), `${generatePrivateKey()}\n`)
    shell(`podman import --quiet ${debianTar} ${BASE}`)
    const lines = guideBlocks('providers', 'sh').find((block) => block.includes('--target cluster')) ?? ''
    const load = `podman save --quiet $1 | ctr --address ${join(cluster.folder, 'containerd.sock')} -n k8s.io images import -`
    shell(
      lines
        .replaceAll('/srv/rackfair', folder)
        .replace('podman build', 'podman build --network=none --pull=never')
        .replace(/podman push (\S+)/, (_line, image) => load.replace('$1', image))
        .replace('=agent.json', `=${at('agent.json')}`)
        .replace('=operator.key', `=${at('operator.key')}`)
        .replace('deploy/kubernetes/agent.yaml', at('agent.yaml')),
    )
    shell('kubectl --namespace=rackfair-agent rollout status deployment/agent --timeout=240s')
    return {
      /** Output of a command inside the pod. @throws if it fails, with its output. */
      inside,
      log: () => shell('kubectl --namespace=rackfair-agent logs deployment/agent'),
      stop() {
        shell('kubectl delete namespace rackfair-agent --wait=false')
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** A test cluster has small disks, no route to the address of its API, and a firewall around each pod that is not on the host network. */
function asHere(manifest: string, nodeAddress: string): string {
  const api = `          env: [{ name: KUBERNETES_SERVICE_HOST, value: ${nodeAddress} }, { name: KUBERNETES_SERVICE_PORT, value: "6443" }]\n`
  return manifest
    .replace('storage: 10Gi', 'storage: 64Mi')
    .replace('      serviceAccountName:', '      hostNetwork: true\n      serviceAccountName:')
    .replace('          ports:\n', `${api}          ports:\n`)
}
