import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inNamespace, withOwnProcesses } from './networkNamespace.ts'
import { readCounts } from './readCounts.ts'
import { readForge } from './readForge.ts'
import type { Step } from './Step.ts'

export const ROOMS = [
  'contracts',
  'packages/app-spec',
  'packages/rules',
  'packages/protocol',
  'packages/hardware',
  'packages/sdk',
  'packages/sealed',
  'packages/http',
  'packages/cli',
  'packages/mcp',
  'packages/x402',
  'packages/action',
  'packages/testkit',
  'apps/platform',
  'apps/agent',
  'apps/market',
  'apps/monitor',
  'apps/edge',
  'apps/web',
  'apps/docs',
  'examples',
  'scripts',
  'bench',
]

/** Starts a cluster, if one was built on this machine. */
const KUBERNETES = 'src/runtime/acceptance/kubernetes.test.ts'
/** Steps that change the networks of the machine. */
const WITH_NETWORKS = ['agent', 'agent-alone', 'agent-kubernetes', 'agent-orders', 'agent-runtime', 'guide', 'market']
const RUNTIME = ['src/runtime', 'src/commands/doctor']

/** The whole checkout: everything that a test that starts the market may read. */
const EVERYTHING = ['.']
/** Vitest's arguments that leave out files, or all files of folders. */
const except = (...paths: readonly string[]) => paths.flatMap((path) => ['--exclude', path.endsWith('.ts') ? path : `${path}/**`])
const nameOf = (room: string) => room.replace(/^.*\//, '')

/**
 * All steps of the run. Browsers abort their requests whenever the machine's networks change: steps that create and remove container
 * networks run in a namespace of their own, or, without `namespaces`, before the browsers.
 */
export function allSteps(root: string, logDir: string, { deep, namespaces }: { deep: boolean; namespaces: boolean }): Step[] {
  const node = process.execPath
  const bin = (name: string) => join(root, 'node_modules', '.bin', name)
  /** A room and all rooms of the workspace it depends on. */
  const withDependencies = (room: string): string[] => {
    const found = new Set<string>()
    const add = (one: string) => {
      if (found.has(one)) return
      found.add(one)
      for (const dependency of dependenciesOf(root, one)) add(dependency)
    }
    add(room)
    return [...found]
  }
  const forge = (name: string, ...args: string[]) => ({
    name,
    cwd: 'contracts',
    command: [node, 'script/forge.ts', ...args],
    inputs: ['contracts', 'packages/rules'],
  })
  const vitest = (room: string, seconds: number, more: Partial<Step> = {}, files: readonly string[] = []): Step => {
    const name = more.name ?? nameOf(room)
    const file = join(logDir, `${name}.json`)
    return {
      name,
      kind: 'tests',
      seconds,
      cwd: room,
      command: [bin('vitest'), 'run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      report: { file, kind: 'vitest' },
      env: { NO_COLOR: '1' },
      inputs: withDependencies(room),
      ...more,
    }
  }
  const withNetworks = (step: Step): Step => ({ ...step, command: namespaces ? inNamespace(step.command) : step.command })
  /** A namespace has no outside network, so the packages of the images are fetched before. */
  const withContainers = (step: Step): Step => ({
    ...withNetworks(step),
    env: { ...step.env, RACKFAIR_IMAGES: 'made' },
    needs: ['images', 'programs', ...(step.needs ?? [])],
  })
  const withBrowser = (step: Step): Step => (namespaces ? { ...step, command: withOwnProcesses(step.command) } : step)
  const quietNetworks = namespaces ? [] : WITH_NETWORKS
  const playwright = (project: 'pages' | 'containers', seconds: number, after: readonly string[]): Step => {
    const file = join(logDir, `${project}.json`)
    return {
      name: project,
      kind: 'tests',
      seconds,
      cwd: 'apps/web',
      command: [join(root, 'apps/web/node_modules/.bin/playwright'), 'test', `--project=${project}`, '--reporter=line,json'],
      report: { file, kind: 'playwright' },
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
      inputs: EVERYTHING,
      after,
      needs: ['web-build', 'programs'],
    }
  }
  // Their tests also start the platform, and run applications of the catalogue.
  const agent = { inputs: [...withDependencies('apps/agent'), ...withDependencies('apps/platform'), 'presets', 'docs'] }
  const solidity = { inputs: ['contracts'], cwd: 'contracts' }
  return [
    // An agent builds its images at niceness 10, to leave the processor to its orders; here, most of the run waits for them.
    {
      name: 'images',
      kind: 'preparation',
      seconds: 1000,
      command: ['nice', '-n', '-10', node, 'apps/agent/src/testing/makeImages.ts'],
    },
    // Otherwise each of several markets that start in parallel would build it.
    { name: 'web-build', kind: 'preparation', seconds: 1000, command: [node, 'apps/market/src/buildWeb.ts'] },
    { name: 'programs', kind: 'preparation', seconds: 1000, command: [node, 'scripts/build/builtProgram.ts'] },
    // The longest chain begins with the images: browsers in parallel would compete with it for the processor.
    withBrowser(playwright('pages', 900, [...quietNetworks, 'images'])),
    withContainers(vitest('apps/agent', 400, { name: 'agent-orders', ...agent }, ['--project=agent', 'src/orders'])),
    // These two wait more than they work: as one step they would take longer than the rest of the run.
    withContainers(
      vitest('apps/agent', 600, { name: 'agent-runtime', ...agent }, ['--project=agent', ...RUNTIME, ...except(KUBERNETES)]),
    ),
    withContainers(
      vitest('apps/agent', 700, agent, ['--project=agent', ...except('src/orders', ...RUNTIME, 'src/guide.test.ts')]),
    ),
    withContainers(vitest('apps/agent', 260, { name: 'agent-kubernetes', ...agent }, ['--project=agent', KUBERNETES])),
    // From a complete clone, on an empty machine.
    withContainers(vitest('apps/agent', 230, { name: 'guide', inputs: EVERYTHING }, ['--project=agent', 'src/guide.test.ts'])),
    // They need no image, so they run while the images are built.
    withNetworks(vitest('apps/agent', 430, { name: 'agent-alone', ...agent, needs: ['programs'] }, ['--project=agent-alone'])),
    withContainers(playwright('containers', 420, namespaces ? [] : ['pages', 'docs'])),
    withContainers(vitest('apps/market', 290, { inputs: EVERYTHING, needs: ['web-build'] })),
    // Packs, installs and uses the packages for users, on a market with a provider.
    withContainers(vitest('packages/cli', 300, { inputs: EVERYTHING, needs: ['web-build'] })),
    withBrowser(vitest('apps/docs', 90, { inputs: EVERYTHING, after: quietNetworks, needs: ['programs'] })),
    vitest('apps/platform', 440, { needs: ['programs'] }),
    vitest('apps/web', 40, { inputs: [...withDependencies('apps/web'), 'docs', 'presets'] }),
    withNetworks(
      vitest('apps/monitor', 425, { inputs: [...withDependencies('apps/monitor'), ...withDependencies('apps/agent')] }),
    ),
    vitest('apps/edge', 30, { needs: ['programs'] }),
    vitest('contracts', 20),
    vitest('packages/testkit', 10, { inputs: EVERYTHING }),
    vitest('packages/sdk', 20),
    vitest('packages/sealed', 10),
    vitest('packages/action', 10, { needs: ['programs'] }),
    vitest('packages/mcp', 10, { needs: ['programs'] }),
    vitest('packages/x402', 5),
    vitest('packages/http', 5),
    vitest('packages/app-spec', 5),
    vitest('packages/rules', 10),
    vitest('packages/protocol', 5),
    vitest('packages/hardware', 5),
    vitest('scripts', 5, { inputs: EVERYTHING, needs: ['programs'] }),
    {
      ...forge('solidity', 'test', '--json'),
      kind: 'tests',
      seconds: 150,
      countOutput: (output) => readForge(output, deep ? 1_000_000 : 4_800),
      env: { FOUNDRY_PROFILE: deep ? 'deep' : 'default' },
    },
    check('solidity-coverage', 200, [node, 'script/coverage.ts'], { ...solidity, kind: 'tests', countOutput: readCounts }),
    // They read what the tests compiled.
    check('solidity-gas', 10, [node, 'script/gas.ts', '--check'], { ...solidity, after: ['solidity'] }),
    check('solidity-shadow', 5, [node, 'script/generate.ts', '--check'], { ...solidity, after: ['solidity', 'solidity-gas'] }),
    check('solidity-proof', 20, [node, 'script/prove.ts'], { ...solidity, kind: 'tests', countOutput: readCounts }),
    check('solidity-format', 1, forge('', 'fmt', '--check').command, solidity),
    check('solidity-lint', 10, forge('', 'lint', '--severity', 'high', '--severity', 'med', '-D', 'warnings').command, solidity),
    check('style', 5, [bin('biome'), 'check', '--error-on-warnings', '.']),
    check('types', 45, [node, 'scripts/test/checkTypes.ts']),
    ...ROOMS.map((room) => check(`types-${nameOf(room)}`, 3, [bin('tsc'), '-p', room], { onlyByName: true })),
    check('walls', 15, [node, 'scripts/test/checkWalls.ts']),
    check('licences', 2, [node, 'scripts/test/checkLicences.ts']),
    check('ledger', 1, [node, 'scripts/test/checkLedger.ts']),
    check('unused', 10, [bin('knip')]),
    ...(deep
      ? [
          check('solidity-mutations', 1800, [node, 'script/mutations.ts'], {
            ...solidity,
            kind: 'tests',
            countOutput: readCounts,
          }),
          // Its counts are mutations, not tests; the check is the room's minimum.
          check('mutations', 7200, [node, 'scripts/test/mutations.ts'], { after: ['unused', 'style'] }),
        ]
      : []),
  ]
}

const check = (name: string, seconds: number, command: readonly string[], more: Partial<Step> = {}): Step => ({
  name,
  kind: 'check',
  seconds,
  command,
  inputs: EVERYTHING,
  ...more,
})

interface Manifest {
  name?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The rooms of the workspace that a room's package depends on. */
function dependenciesOf(root: string, room: string): string[] {
  const { dependencies, devDependencies } = manifestOf(root, room)
  const names = Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) =>
    version.startsWith('workspace:') ? [name] : [],
  )
  return ROOMS.filter((one) => names.includes(manifestOf(root, one).name ?? ''))
}

function manifestOf(root: string, room: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Manifest
  } catch {
    return {}
  }
}
