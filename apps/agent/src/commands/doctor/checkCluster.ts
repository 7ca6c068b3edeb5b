import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { type Check, check } from '../../foundation/Check.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { loadCatalog, PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { newInstance } from '../../runtime/engine/names.ts'

const NGINX = 2
const FIX = 'fix that, or name another cluster in kubernetes.kubeconfig; nothing was changed in it'

/**
 * Checks the configured cluster: it answers, is recent enough, grants the agent its rights, has disks and nodes, and contains two pods that
 * try what no tenant may do. Leaves nothing behind.
 */
export async function checkCluster(config: AgentConfig): Promise<Check[]> {
  const { kubernetes: settings, resolvers, ownImages } = config
  const preset = loadCatalog(config.presetsFolder ?? PRESETS_FOLDER).get(NGINX)
  if (!settings || !preset) return []
  const { createKubernetesRuntime } = await import('../../runtime/kubernetes/createKubernetesRuntime.ts')
  const { conformance } = await import('../../runtime/kubernetes/conformance.ts')
  const data = mkdtempSync(join(tmpdir(), 'rackfair-cluster-'))
  try {
    // An instance of its own, so that an agent running in parallel keeps its orders and its wall.
    const instance = newInstance()
    const runtime = await createKubernetesRuntime({ instance, data, settings, resolvers, ownImages })
    try {
      const found = await conformance({ settings, instance, runtime, app: preset.app })
      return found.map((one) => ({ ...check(one.name, one.ok, one.found, one.fix ?? FIX), name: `cluster: ${one.name}` }))
    } finally {
      await runtime.close({ stopWorkloads: true }).catch(() => {})
    }
  } catch (error) {
    return [check('cluster', false, reasonOf(error).slice(0, 500), FIX)]
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** @throws AppError `isolation_unavailable` listing everything that the cluster lacks. */
export function requireCluster(checks: readonly Check[]): void {
  const missing = checks.filter(({ ok }) => !ok)
  if (missing.length === 0) return
  const list = missing.map(({ name, found, fix }) => `${name}: ${found}; ${fix}`).join('\n  ')
  throw new AppError('isolation_unavailable', `the cluster cannot run orders yet, nothing was sent:\n  ${list}`)
}
