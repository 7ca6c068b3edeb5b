/** A room whose rules are mutated one at a time, to see whether its tests detect it. */
export interface MutationRoom {
  name: string
  /** Relative to the root. */
  cwd: string
  /** Globs of the files to mutate, relative to `cwd`. */
  mutate: readonly string[]
  /** Globs of the tests that have to detect the mutations. */
  tests: readonly string[]
  /**
   * Percentage of the mutations that have to be detected: what has been reached so far, with 95 as the goal. Absent if the room has never
   * been run completely.
   */
  atLeast?: number
}

const NO_RULES = ['!**/*.test.ts', '!**/testing/**', '!**/index.ts']

/** Rooms with rules that a test decides in milliseconds or on a chain of its own; not what needs containers or a browser. */
export const ROOMS: readonly MutationRoom[] = [
  // The wire schemas are tested where they are used, in platform and agent.
  pure('rules', 'rules', ['*.ts', '{errors,network,prices,provider,text,wish}/*.ts'], 98),
  pure('rules-orders', 'rules', ['order/*.ts', 'deployment/*.ts', 'node/*.ts'], 98),
  pure('rules-uptime', 'rules', ['uptime/*.ts'], 99),
  pure('rules-gpu', 'rules', ['gpu/*.ts'], 99),
  pure('app-spec', 'app-spec', ['*.ts'], 95),
  pure('app-spec-import', 'app-spec', ['import/*.ts'], 99),
  pure(
    'protocol',
    'protocol',
    [
      '!(account|alertRequests|config|deployments|error|events|nodeQuery|orderRequests|relay|scalars|uptime|workspace|workspaceRequests|zodOf).ts',
    ],
    95,
  ),
  { ...pure('hardware', 'hardware', ['{verification,classes}.ts'], 99), tests: ['src/verification.test.ts'] },
  // Only these tests compute a product: Stryker runs all tests for what `beforeAll` computes.
  { ...pure('hardware-proof', 'hardware', ['!(verification|classes|wire).ts'], 99), tests: ['src/proof.test.ts'] },
  {
    name: 'sdk-wire',
    cwd: 'packages/sdk',
    mutate: ['src/{http,workspace}/read/*.ts', ...NO_RULES],
    tests: ['src/{http,workspace}/read/*.test.ts'],
    atLeast: 100,
  },
  {
    name: 'sdk-rules',
    cwd: 'packages/sdk',
    mutate: [
      'src/pause.ts',
      'src/errors/!(appError).ts',
      'src/http/createApi.ts',
      'src/order/{choosePaymentWay,orders}.ts',
      'src/uptime/{findWrongImages,isMonitorUrl,maintenance,publishedReports,reports,reportTree}.ts',
      'src/workspace/toWorkspaceError.ts',
      ...NO_RULES,
    ],
    tests: [
      'src/pause.test.ts',
      'src/errors/*.test.ts',
      'src/http/*.test.ts',
      'src/order/{choosePaymentWay,orders}.test.ts',
      'src/uptime/{findWrongImages,isMonitorUrl,maintenance,publishedReports,reportTree}.test.ts',
      'src/workspace/*.test.ts',
    ],
    atLeast: 99,
  },
  {
    name: 'sdk-chain',
    cwd: 'packages/sdk',
    mutate: [
      'src/chain/!(signVoucher).ts',
      'src/order/!(choosePaymentWay|orders).ts',
      'src/errors/appError.ts',
      'src/uptime/requireHardware.ts',
      ...NO_RULES,
    ],
    tests: ['src/chain/*.test.ts', 'src/order/!(choosePaymentWay|orders).test.ts', 'src/uptime/requireHardware.test.ts'],
    atLeast: 95,
  },
  {
    name: 'agent',
    cwd: 'apps/agent',
    mutate: ['src/orders/verify/*.ts', 'src/orders/reconcile/plan.ts', ...NO_RULES],
    // Those left out start a platform or deploy accounts, and detect nothing that the others do not.
    tests: ['src/orders/verify/!(sealedValues|smartAccounts).test.ts', 'src/orders/reconcile/plan.test.ts'],
    atLeast: 99,
  },
  {
    name: 'platform',
    cwd: 'apps/platform',
    mutate: ['src/indexer/handlers/*.ts', 'src/limits/*.ts', ...NO_RULES],
    tests: ['src/indexer/handlers/*.test.ts', 'src/limits/*.test.ts'],
    atLeast: 99,
  },
  {
    name: 'web',
    cwd: 'apps/web',
    mutate: ['src/wallet/payment/createPayment.ts'],
    tests: ['src/wallet/payment/*.test.ts'],
    atLeast: 100,
  },
]

function pure(name: string, room: string, files: readonly string[], atLeast: number): MutationRoom {
  return {
    name,
    cwd: `packages/${room}`,
    mutate: [...files.map((file) => `src/${file}`), '!src/presets.ts', ...NO_RULES],
    tests: ['src/**/*.test.ts'],
    atLeast,
  }
}
