/** The walls of ARCHITECTURE.md. Tests may reach for the test kit. */
const TEST = '\\.(test|spec)\\.tsx?$|/e2e/|/testing/|(vitest|playwright)\\.config'

/** The schemas of answers and requests. */
const WIRE =
  '^packages/(protocol/src/(account|alerts|config|deployments|error|events|network|nodes|orders|providers|relay|scalars|uptime|verification|workspace|workspaceRequests)|hardware/src/wire)\\.'

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: ['\\.(css|woff2|svg)$', '^/'] } },
    {
      name: 'app-spec-stands-alone',
      severity: 'error',
      from: { path: '^packages/app-spec/src', pathNot: TEST },
      to: { pathNot: ['^packages/app-spec/src', 'node_modules/yaml/'] },
    },
    {
      // A reader of yaml is 30 kB that only those load who paste one.
      name: 'app-spec-reads-yaml-in-one-place',
      severity: 'error',
      from: {
        path: '^packages/',
        pathNot: [TEST, '^packages/app-spec/src/import/', '^packages/(?!app-spec|rules|protocol|hardware)'],
      },
      to: { path: ['node_modules/yaml/', '^packages/app-spec/src/import/'] },
    },
    {
      name: 'rules-know-no-wire',
      severity: 'error',
      from: { path: '^packages/rules/src', pathNot: TEST },
      to: { pathNot: ['^packages/rules/src', '^packages/app-spec/src'] },
    },
    {
      name: 'protocol-knows-rules',
      severity: 'error',
      from: { path: '^packages/protocol/src', pathNot: TEST },
      to: { pathNot: ['^packages/(protocol|rules|app-spec)/src', 'node_modules/zod/'] },
    },
    {
      name: 'hardware-knows-protocol',
      severity: 'error',
      from: { path: '^packages/hardware/src', pathNot: TEST },
      to: { pathNot: ['^packages/(hardware|protocol|rules)/src', 'node_modules/zod/'] },
    },
    {
      name: 'contracts-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^contracts/', pathNot: ['test'] },
      to: { path: '^(packages|apps)/' },
    },
    { name: 'packages-know-no-app', severity: 'error', from: { path: '^packages/' }, to: { path: '^apps/' } },
    {
      name: 'sdk-runs-everywhere',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: TEST },
      to: { path: ['node_modules/react'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-for-browsers-need-no-node',
      severity: 'error',
      from: { path: '^packages/(app-spec|rules|protocol|hardware|sdk|sealed)/src', pathNot: [TEST, '^packages/sdk/src/node/'] },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      // What Node alone can do has a counterpart in `browser`: a condition of the package chooses.
      name: 'sdk-asks-node-by-condition',
      severity: 'error',
      from: { path: '^packages/sdk/src', pathNot: [TEST, '^packages/sdk/src/node/'] },
      to: { path: '^packages/sdk/src/node/', dependencyTypesNot: ['type-only', 'aliased-subpath-import'] },
    },
    {
      name: 'sealed-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/sealed/src', pathNot: TEST },
      to: { path: ['^(apps|contracts)/', '^packages/(?!sealed)'] },
    },
    {
      name: 'cli-knows-the-sdk',
      severity: 'error',
      from: { path: '^packages/cli/src', pathNot: TEST },
      to: { path: ['^(apps|contracts)/', '^packages/(?!(cli|sdk|hardware|protocol|rules|app-spec)/)'] },
    },
    {
      // What anybody else can install.
      name: 'examples-use-packages',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: ['^(apps|contracts)/', '^packages/(?!(sdk|rules|app-spec)/)'] },
    },
    {
      name: 'no-app-imports-an-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: [TEST, '^apps/docs/'] },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'monitor-believes-nobody',
      severity: 'error',
      from: { path: '^apps/monitor/src', pathNot: TEST },
      to: { path: ['^packages/(?!(sdk|hardware|protocol|rules|app-spec)/)', '^apps/(?!monitor/)'] },
    },
    {
      // The guides print the sentences of the screens, word for word.
      name: 'docs-import-only-sentences',
      severity: 'error',
      from: { path: '^apps/docs/', pathNot: TEST },
      to: { path: '^apps/', pathNot: ['^apps/docs/', '^apps/web/src/platform/errors/errorTexts\\.'] },
    },
    {
      name: 'store-knows-no-rules',
      severity: 'error',
      from: { path: '^apps/platform/src/store', pathNot: TEST },
      to: { path: '^apps/platform/src/(indexer|http|relay)' },
    },
    {
      name: 'indexer-knows-no-http',
      severity: 'error',
      from: { path: '^apps/platform/src/indexer', pathNot: TEST },
      to: { path: '^apps/platform/src/(http|relay)' },
    },
    {
      name: 'features-do-not-meet',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: TEST },
      to: { path: '^apps/web/src/(features/|app/)', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'features-know-no-wire',
      severity: 'error',
      from: { path: '^apps/web/src/(features|entities)/', pathNot: TEST },
      to: { path: WIRE },
    },
    {
      name: 'ui-knows-no-market',
      severity: 'error',
      from: { path: '^apps/web/src/ui', pathNot: TEST },
      to: { path: ['^apps/web/src/(features|app|prerender|wallet|entities|platform)', '^packages/sdk', '^contracts/'] },
    },
    {
      name: 'test-kit-stays-in-tests',
      severity: 'error',
      from: { path: '^(apps|packages|contracts)/', pathNot: [TEST, '^packages/testkit', 'test'] },
      to: { path: '^packages/testkit' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/test-results/', '/out/', '/cache/', '\\.d\\.mts$'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
