import { AppError } from '@rackfair/core'
import type { AgentConfig } from '../config/agentConfig.ts'
import { loadCatalog, PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { conformance } from '../runtime/kubernetes/conformance.ts'
import { createKubernetesRuntime } from '../runtime/kubernetes/createKubernetesRuntime.ts'
import type { Output } from './output.ts'

const NGINX = 2

/** Tries on the provider's cluster what no tenant may do there, and says what holds; a cluster that does not is exit code 1. */
export async function proveCluster(
  { kubernetes: settings, ...config }: AgentConfig,
  data: string,
  output: Output,
): Promise<void> {
  if (!settings) throw new AppError('bad_request', 'the configuration names no cluster: add kubernetes to it')
  const preset = loadCatalog(config.presetsFolder ?? PRESETS_FOLDER).get(NGINX)
  if (!preset) throw new AppError('preset_unknown', 'the catalogue has no nginx')
  const { instance, resolvers, ownImages } = config
  const runtime = await createKubernetesRuntime({ instance, data, settings, resolvers, ownImages })
  try {
    const checks = await conformance({ settings, instance, runtime, preset })
    const lines = checks.map(
      ({ name, ok, found, fix }) => `${ok ? 'pass' : 'FAIL'}  ${name}: ${found}${ok ? '' : `\n      ${fix}`}`,
    )
    output.result(checks, lines.join('\n'))
    if (checks.some(({ ok }) => !ok)) process.exitCode = 1
  } finally {
    await runtime.close({ stopWorkloads: false })
  }
}
