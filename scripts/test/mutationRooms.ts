/** A room whose rules are changed one at a time, to see whether its tests notice. */
export interface MutationRoom {
  name: string
  /** From the root. */
  cwd: string
  /** Globs of what is changed, from `cwd`. */
  mutate: readonly string[]
  /** Globs of the tests that have to notice. */
  tests: readonly string[]
  /** Per cent of the mutations that have to be noticed: what was reached, on the way to 95. Without it the room was never run to its end. */
  atLeast?: number
}

const NO_RULES = ['!**/*.test.ts', '!**/testing/**', '!**/index.ts']

/** Rooms with rules that a test decides in milliseconds or on a chain of its own; what needs containers or a browser has none here. */
export const ROOMS: readonly MutationRoom[] = [
  // The wire schemas are tested where they are spoken, in platform and agent.
  core('core', ['*.ts'], 69),
  core('core-orders', ['order/*.ts', 'deployment/*.ts', 'node/*.ts'], 80),
  core('core-apps', ['app/**/*.ts', 'workspace/*.ts']),
  core('core-uptime', ['uptime/*.ts', 'hardware/*.ts']),
  {
    name: 'sdk',
    cwd: 'packages/sdk',
    mutate: ['src/**/*.ts', ...NO_RULES],
    tests: ['src/**/*.test.ts'],
  },
  {
    name: 'agent',
    cwd: 'apps/agent',
    mutate: ['src/verify/*.ts', 'src/orders/reconcile/plan.ts', ...NO_RULES],
    tests: ['src/verify/*.test.ts', 'src/orders/reconcile/plan.test.ts'],
  },
  {
    name: 'platform',
    cwd: 'apps/platform',
    mutate: ['src/indexer/handlers/*.ts', 'src/limits/*.ts', ...NO_RULES],
    tests: ['src/indexer/*.test.ts', 'src/limits/*.test.ts', 'test/indexer.test.ts'],
  },
  {
    name: 'web',
    cwd: 'apps/web',
    mutate: ['src/wallet/payment/createPayment.ts'],
    tests: ['src/wallet/payment/*.test.ts'],
    atLeast: 82,
  },
]

function core(name: string, files: readonly string[], atLeast?: number): MutationRoom {
  return {
    name,
    cwd: 'packages/core',
    mutate: [...files.map((file) => `src/${file}`), '!src/presets.ts', ...NO_RULES],
    tests: ['src/**/*.test.ts'],
    ...(atLeast === undefined ? {} : { atLeast }),
  }
}
