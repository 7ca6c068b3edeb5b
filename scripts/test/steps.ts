import { join } from 'node:path'
import { inNamespace } from './networkNamespace.ts'
import { readCounts } from './readCounts.ts'
import { readForge } from './readForge.ts'
import type { Step } from './Step.ts'

const ROOMS = [
  'contracts',
  'packages/core',
  'packages/sdk',
  'packages/testkit',
  'apps/platform',
  'apps/agent',
  'apps/market',
  'apps/web',
  'apps/docs',
  'scripts',
  'bench',
]

/**
 * All steps of the run, two of them at a time. Browsers abort what they are loading whenever their networks change: what makes and
 * removes container networks runs in a namespace of its own, or, without `namespaces`, before the browsers.
 */
export function allSteps(root: string, logDir: string, { deep, namespaces }: { deep: boolean; namespaces: boolean }): Step[] {
  const node = process.execPath
  const bin = (name: string) => join(root, 'node_modules', '.bin', name)
  const forge = (name: string, ...args: string[]): Step => ({
    name,
    cwd: 'contracts',
    command: [node, 'script/forge.ts', ...args],
  })
  const vitest = (room: string, more: Partial<Step> = {}, files: readonly string[] = []): Step => {
    const name = more.name ?? room.replace(/^.*\//, '')
    const file = join(logDir, `${name}.json`)
    return {
      name,
      cwd: room,
      command: [bin('vitest'), 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      report: { file, kind: 'vitest' },
      env: { NO_COLOR: '1' },
      ...more,
    }
  }
  /** A namespace has no way out, so the packages of the images are fetched before. */
  const withContainers = (step: Step): Step => ({
    ...step,
    command: namespaces ? inNamespace(step.command) : step.command,
    needs: ['images'],
  })
  const quietNetworks = namespaces ? [] : ['agent', 'agent-orders', 'market']
  const playwright = (project: 'pages' | 'containers', after: readonly string[]): Step => {
    const file = join(logDir, `${project}.json`)
    return {
      name: project,
      cwd: 'apps/web',
      command: [join(root, 'apps/web/node_modules/.bin/playwright'), 'test', `--project=${project}`, '--reporter=line,json'],
      report: { file, kind: 'playwright' },
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
      after,
    }
  }
  return [
    { name: 'images', command: [node, 'apps/agent/src/testing/makeImages.ts'], prepares: true },
    withContainers(vitest('apps/agent', { name: 'agent-orders' }, ['src/orders'])),
    {
      ...forge('solidity', 'test', '--json'),
      countOutput: (output) => readForge(output, deep ? 1_000_000 : 4_800),
      env: { FOUNDRY_PROFILE: deep ? 'deep' : 'default' },
    },
    withContainers(vitest('apps/agent', {}, ['--exclude', 'src/orders/**'])),
    withContainers(vitest('apps/market')),
    vitest('apps/platform'),
    vitest('apps/web'),
    vitest('contracts'),
    playwright('pages', quietNetworks),
    vitest('apps/docs', { after: quietNetworks }),
    withContainers(playwright('containers', namespaces ? [] : ['pages', 'docs'])),
    vitest('packages/testkit'),
    vitest('packages/sdk'),
    vitest('packages/core'),
    { name: 'style', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
    ...ROOMS.map((room): Step => ({ name: `types-${room.replace(/^.*\//, '')}`, command: [bin('tsc'), '-p', room] })),
    // It puts a file into packages/core for a moment, to see that a crossing is noticed.
    { name: 'walls', command: [node, 'scripts/test/checkWalls.ts'], after: ['style', 'types-core'] },
    { name: 'ledger', command: [node, 'scripts/test/checkLedger.ts'] },
    { name: 'unused', command: [bin('knip')], after: ['walls'] },
    forge('solidity-format', 'fmt', '--check'),
    forge('solidity-lint', 'lint', '--severity', 'high', '--severity', 'med', '-D', 'warnings'),
    { name: 'solidity-gas', cwd: 'contracts', command: [node, 'script/gas.ts', '--check'] },
    { name: 'solidity-shadow', cwd: 'contracts', command: [node, 'script/generate.ts', '--check'] },
    { name: 'solidity-coverage', cwd: 'contracts', command: [node, 'script/coverage.ts'], countOutput: readCounts },
    ...(deep
      ? [{ name: 'solidity-mutations', cwd: 'contracts', command: [node, 'script/mutations.ts'], countOutput: readCounts }]
      : []),
  ]
}
