import { findImpure } from './findImpure.ts'

/**
 * The walls of the product, in one list: dependency-cruiser's rules (`.dependency-cruiser.cjs`), the deliberate violations that test them
 * (`checkWalls.ts`) and the table of ARCHITECTURE.md come from it.
 */
export interface Wall {
  name: string
  /** The sentence of ARCHITECTURE.md: what it keeps apart, and why where that is not obvious. */
  says: string
  /** A rule of dependency-cruiser about imports. */
  imports?: { from: object; to: object }
  /** A rule about the text of sources. */
  text?: { of: readonly string[]; except: RegExp; finds: (source: string) => readonly string[] }
  /** What breaks it: the file that imports and what it imports, or the file and its text. */
  violation: readonly [file: string, importsOrHas: string]
}

/** Tests may reach for the test kit. */
const TEST = '\\.(test|spec)\\.tsx?$|/e2e/|/testing/|(vitest|playwright)\\.config'
const TESTS = new RegExp(TEST)

/** The schemas of answers and requests. */
const WIRE =
  '^packages/(protocol/src/(account|alertRequests|config|deploymentRequests|door|error|events|nodeQuery|orderRequests|relay|scalars|uptime|workspace|workspaceRequests|zodOf)|hardware/src/wire)\\.'

/** The levels of the agent, from the ground up. */
const AGENT_LEVELS = [
  ['foundation/'],
  ['chain/', 'runtime/'],
  ['config/', 'db/', 'presets/', 'uptime/'],
  ['machine/', 'AgentContext.ts'],
  ['orders/'],
  ['doors/'],
  ['start.ts'],
  ['commands/'],
]

/** A wing of the agent imports what stands in a level below it, and nothing beside or above it. */
function agentLevel(level: number): NonNullable<Wall['imports']> {
  const wings = (AGENT_LEVELS[level] ?? []).join('|')
  const below = AGENT_LEVELS.slice(0, level).flat()
  return {
    from: { path: `^apps/agent/src/(${wings})`, pathNot: TEST },
    to: { path: '^apps/agent/src/', pathNot: ['$1', ...below].map((one) => `^apps/agent/src/${one}`) },
  }
}

export const WALLS: readonly Wall[] = [
  {
    name: 'no-circular',
    says: 'No file imports itself, however far around',
    imports: { from: {}, to: { circular: true } },
    violation: ['apps/monitor/src/first.ts', 'apps/monitor/src/second.ts'],
  },
  {
    name: 'resolvable',
    says: 'Every import leads to a file',
    imports: { from: {}, to: { couldNotResolve: true, pathNot: ['\\.(css|woff2|svg)$', '^/'] } },
    violation: ['apps/monitor/src/third.ts', 'apps/monitor/src/absent.ts'],
  },
  {
    name: 'app-spec-stands-alone',
    says: '`app-spec` imports `yaml` and nothing of ours',
    imports: {
      from: { path: '^packages/app-spec/src', pathNot: TEST },
      to: { pathNot: ['^packages/app-spec/src', 'node_modules/yaml/'] },
    },
    violation: ['packages/app-spec/src/AppSpec.ts', 'packages/rules/src/money.ts'],
  },
  {
    name: 'app-spec-reads-yaml-in-one-place',
    says: 'Only `app-spec/import` reads YAML: its 30 kB are for those who paste some',
    imports: {
      from: {
        path: '^packages/',
        pathNot: [TEST, '^packages/app-spec/src/import/', '^packages/(?!app-spec|rules|protocol|hardware)'],
      },
      to: { path: ['node_modules/yaml/', '^packages/app-spec/src/import/'] },
    },
    violation: ['packages/app-spec/src/appText.ts', 'packages/app-spec/src/import/readYaml.ts'],
  },
  {
    name: 'rules-know-no-wire',
    says: '`rules` import `app-spec` alone, not the wire',
    imports: {
      from: { path: '^packages/rules/src', pathNot: TEST },
      to: { pathNot: ['^packages/rules/src', '^packages/app-spec/src'] },
    },
    violation: ['packages/rules/src/node/node.ts', 'packages/protocol/src/nodes.ts'],
  },
  {
    name: 'protocol-knows-rules',
    says: '`protocol` imports `rules`, `app-spec` and zod',
    imports: {
      from: { path: '^packages/protocol/src', pathNot: TEST },
      to: { pathNot: ['^packages/(protocol|rules|app-spec)/src', 'node_modules/zod/'] },
    },
    violation: ['packages/protocol/src/orders.ts', 'packages/sdk/src/read.ts'],
  },
  {
    name: 'hardware-knows-protocol',
    says: '`hardware` imports `protocol`, `rules` and zod',
    imports: {
      from: { path: '^packages/hardware/src', pathNot: TEST },
      to: { pathNot: ['^packages/(hardware|protocol|rules)/src', 'node_modules/zod/'] },
    },
    violation: ['packages/hardware/src/proof.ts', 'packages/sealed/src/seal.ts'],
  },
  {
    name: 'contracts-import-nothing-of-ours',
    says: '`contracts` import nothing of ours',
    imports: { from: { path: '^contracts/', pathNot: ['test'] }, to: { path: '^(packages|apps)/' } },
    violation: ['contracts/ts/abi.ts', 'packages/rules/src/address.ts'],
  },
  {
    name: 'packages-know-no-app',
    says: 'No package imports an app',
    imports: { from: { path: '^packages/' }, to: { path: '^apps/' } },
    violation: ['packages/sdk/src/first.ts', 'apps/monitor/src/watch.ts'],
  },
  {
    name: 'sdk-runs-everywhere',
    says: '`sdk` imports no React',
    imports: {
      from: { path: '^packages/sdk/src', pathNot: TEST },
      to: { path: ['node_modules/react'], dependencyTypesNot: ['type-only'] },
    },
    violation: ['packages/sdk/src/second.ts', 'node_modules/react/index.js'],
  },
  {
    name: 'packages-for-browsers-need-no-node',
    says: 'What runs in a browser imports no module of Node; `sdk/node` may',
    imports: {
      from: { path: '^packages/(app-spec|rules|protocol|hardware|sdk|sealed)/src', pathNot: [TEST, '^packages/sdk/src/node/'] },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    violation: ['packages/sdk/src/fourth.ts', 'node:fs'],
  },
  {
    name: 'sdk-asks-node-by-condition',
    says: '`sdk/node` is reached through a condition of the package, beside its counterpart for browsers',
    imports: {
      from: { path: '^packages/sdk/src', pathNot: [TEST, '^packages/sdk/src/node/'] },
      to: { path: '^packages/sdk/src/node/', dependencyTypesNot: ['type-only', 'aliased-subpath-import'] },
    },
    violation: ['packages/sdk/src/fifth.ts', 'packages/sdk/src/node/lookup.ts'],
  },
  {
    name: 'sealed-imports-nothing-of-ours',
    says: '`sealed` imports nothing of ours',
    imports: {
      from: { path: '^packages/sealed/src', pathNot: TEST },
      to: { path: ['^(apps|contracts)/', '^packages/(?!sealed)'] },
    },
    violation: ['packages/sealed/src/open.ts', 'packages/rules/src/limits.ts'],
  },
  {
    name: 'cli-knows-the-sdk',
    says: '`cli` imports `sdk` and what is below it: neither contracts nor `sealed`',
    imports: {
      from: { path: '^packages/cli/src', pathNot: TEST },
      to: { path: ['^(apps|contracts)/', '^packages/(?!(cli|sdk|hardware|protocol|rules|app-spec)/)'] },
    },
    violation: ['packages/cli/src/main.ts', 'packages/sealed/src/session.ts'],
  },
  {
    name: 'doors-know-the-sdk',
    says: '`mcp`, `x402` and `action` import `sdk`, `rules` and `http`: what they can do is what any program can',
    imports: {
      from: { path: '^packages/(mcp|x402|action)/src', pathNot: TEST },
      to: { path: ['^(apps|contracts)/', '^packages/(?!($1|sdk|rules|http)/)'] },
    },
    violation: ['packages/mcp/src/main.ts', 'packages/sealed/src/session.ts'],
  },
  {
    name: 'examples-use-packages',
    says: '`examples` import the packages that anybody else can install',
    imports: { from: { path: '^examples/' }, to: { path: ['^(apps|contracts)/', '^packages/(?!(sdk|rules|app-spec)/)'] } },
    violation: ['examples/rent.ts', 'contracts/ts/second.ts'],
  },
  {
    name: 'no-app-imports-an-app',
    says: 'No app imports another app',
    imports: { from: { path: '^apps/([^/]+)/', pathNot: [TEST, '^apps/docs/'] }, to: { path: '^apps/', pathNot: '^apps/$1/' } },
    violation: ['apps/agent/src/main.ts', 'apps/platform/src/main.ts'],
  },
  {
    name: 'monitor-believes-nobody',
    says: '`monitor` imports `sdk`, what is below it, and `http`: never the platform',
    imports: {
      from: { path: '^apps/monitor/src', pathNot: TEST },
      to: { path: ['^packages/(?!(sdk|hardware|protocol|rules|app-spec|http)/)', '^apps/(?!monitor/)'] },
    },
    violation: ['apps/monitor/src/fourth.ts', 'packages/sealed/src/request.ts'],
  },
  {
    name: 'edge-knows-no-visitor',
    says: '`edge` imports the wire of the door, rules and `sdk`: nothing that could open what it passes on',
    imports: {
      from: { path: '^apps/edge/src', pathNot: TEST },
      to: { path: ['^packages/(?!(sdk|protocol|rules)/)', '^apps/(?!edge/)'] },
    },
    violation: ['apps/edge/src/joinSockets.ts', 'packages/sealed/src/request.ts'],
  },
  {
    name: 'docs-import-only-sentences',
    says: '`docs` import the sentences of the web’s errors, which guides print word for word, and nothing else of an app',
    imports: {
      from: { path: '^apps/docs/', pathNot: TEST },
      to: { path: '^apps/', pathNot: ['^apps/docs/', '^apps/web/src/platform/errors/errorTexts\\.'] },
    },
    violation: ['apps/docs/build.ts', 'apps/web/src/ui/Button.tsx'],
  },
  {
    name: 'store-knows-no-rules',
    says: '`platform/store` imports neither indexer, HTTP nor relay',
    imports: {
      from: { path: '^apps/platform/src/store', pathNot: TEST },
      to: { path: '^apps/platform/src/(indexer|http|relay)' },
    },
    violation: ['apps/platform/src/store/rows.ts', 'apps/platform/src/http/routes.ts'],
  },
  {
    name: 'indexer-knows-no-http',
    says: '`platform/indexer` imports neither HTTP nor relay',
    imports: { from: { path: '^apps/platform/src/indexer', pathNot: TEST }, to: { path: '^apps/platform/src/(http|relay)' } },
    violation: ['apps/platform/src/indexer/follow.ts', 'apps/platform/src/http/answer.ts'],
  },
  {
    name: 'features-do-not-meet',
    says: 'A feature of the web imports no other feature and no route: two that need each other are composed in a route',
    imports: {
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: TEST },
      to: { path: '^apps/web/src/(features/|app/)', pathNot: '^apps/web/src/features/$1/' },
    },
    violation: ['apps/web/src/features/home/Home.tsx', 'apps/web/src/features/nodes/List.tsx'],
  },
  {
    name: 'features-know-no-wire',
    says: 'Features and entities of the web get domain types, never the wire',
    imports: { from: { path: '^apps/web/src/(features|entities)/', pathNot: TEST }, to: { path: WIRE } },
    violation: ['apps/web/src/features/orders/Order.tsx', 'packages/protocol/src/zodOf.ts'],
  },
  {
    name: 'ui-knows-no-market',
    says: '`web/ui` imports nothing that knows the market',
    imports: {
      from: { path: '^apps/web/src/ui', pathNot: TEST },
      to: { path: ['^apps/web/src/(features|app|prerender|wallet|entities|platform)', '^packages/sdk', '^contracts/'] },
    },
    violation: ['apps/web/src/ui/Card.tsx', 'packages/sdk/src/third.ts'],
  },
  {
    name: 'relay-knows-no-http',
    says: '`platform/relay` and `platform/uptime` import no route, no list and not each other',
    imports: {
      from: { path: '^apps/platform/src/(relay|uptime)/', pathNot: TEST },
      to: { path: '^apps/platform/src/(http|read|pages|relay|uptime)/', pathNot: '^apps/platform/src/$1/' },
    },
    violation: ['apps/platform/src/uptime/collect.ts', 'apps/platform/src/relay/route.ts'],
  },
  {
    name: 'entities-know-no-feature',
    says: '`web/entities` import no feature, no route and nothing of `prerender`',
    imports: {
      from: { path: '^apps/web/src/entities/', pathNot: TEST },
      to: { path: '^apps/web/src/(features|app|prerender)/' },
    },
    violation: ['apps/web/src/entities/order/queries.ts', 'apps/web/src/features/orders/MyOrders.tsx'],
  },
  {
    name: 'wallet-knows-no-entity',
    says: '`web/wallet` knows the chain, and nothing of what is traded',
    imports: {
      from: { path: '^apps/web/src/wallet/', pathNot: TEST },
      to: { path: '^apps/web/src/(features|app|prerender|entities)/' },
    },
    violation: ['apps/web/src/wallet/useBalance.ts', 'apps/web/src/entities/order/useApplication.ts'],
  },
  {
    name: 'wallet-has-one-door',
    says: 'The rest of the web imports `wallet/index.ts` alone',
    imports: {
      from: { path: '^apps/web/src/(?!wallet/)', pathNot: TEST },
      to: { path: '^apps/web/src/wallet/', pathNot: '^apps/web/src/wallet/index\\.ts$' },
    },
    violation: ['apps/web/src/app/App.tsx', 'apps/web/src/wallet/WalletContext.ts'],
  },
  {
    name: 'wallet-code-comes-late',
    says: '`wallet/session` and `wallet/dialogs` are loaded at the first interaction: what a page loads imports their types at most',
    imports: {
      from: { path: '^apps/web/src/wallet/(?!session/|dialogs/)', pathNot: TEST },
      to: { path: '^apps/web/src/wallet/(session|dialogs)/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    violation: ['apps/web/src/wallet/loadWallet.ts', 'apps/web/src/wallet/session/index.ts'],
  },
  {
    name: 'web-platform-is-the-ground',
    says: '`web/platform` imports nothing that stands on it',
    imports: {
      from: { path: '^apps/web/src/(platform|i18n)/', pathNot: TEST },
      to: { path: '^apps/web/src/(features|app|prerender|entities|wallet)/' },
    },
    violation: ['apps/web/src/platform/api/api.ts', 'apps/web/src/wallet/index.ts'],
  },
  {
    name: 'early-runs-without-the-app',
    says: '`prerender/early` runs before React: it imports neither it nor anything that does',
    imports: {
      from: { path: '^apps/web/src/prerender/early/', pathNot: TEST },
      to: { path: ['^apps/web/src/(features|app|entities|wallet|ui)/', 'node_modules/react'], dependencyTypesNot: ['type-only'] },
    },
    violation: ['apps/web/src/prerender/early/early.ts', 'apps/web/src/ui/createStore.ts'],
  },
  {
    name: 'agent-foundation',
    says: 'In the agent, `foundation` imports no other wing',
    imports: agentLevel(0),
    violation: ['apps/agent/src/foundation/log.ts', 'apps/agent/src/chain/view.ts'],
  },
  {
    name: 'agent-chain-runtime',
    says: '`chain` and `runtime` of the agent import `foundation`, and not each other: neither settings nor catalogue',
    imports: agentLevel(1),
    violation: ['apps/agent/src/runtime/Runtime.ts', 'apps/agent/src/presets/catalog.ts'],
  },
  {
    name: 'agent-state',
    says: '`config`, `db`, `presets` and `uptime` of the agent import what is below, and not each other',
    imports: agentLevel(2),
    violation: ['apps/agent/src/db/db.ts', 'apps/agent/src/orders/plan.ts'],
  },
  {
    name: 'agent-machine',
    says: '`machine` of the agent knows no orders',
    imports: agentLevel(3),
    violation: ['apps/agent/src/machine/gpu.ts', 'apps/agent/src/orders/manager.ts'],
  },
  {
    name: 'agent-orders',
    says: '`orders` of the agent know no door',
    imports: agentLevel(4),
    violation: ['apps/agent/src/orders/verify.ts', 'apps/agent/src/doors/relay.ts'],
  },
  {
    name: 'agent-doors',
    says: '`doors` of the agent import what is below, never what starts them',
    imports: agentLevel(5),
    violation: ['apps/agent/src/doors/gateway.ts', 'apps/agent/src/start.ts'],
  },
  {
    name: 'agent-start',
    says: '`start.ts` of the agent knows no command',
    imports: agentLevel(6),
    violation: ['apps/agent/src/start.ts', 'apps/agent/src/commands/start.ts'],
  },
  {
    name: 'agent-commands',
    says: '`commands` of the agent are the command line, which nothing but `main.ts` imports',
    imports: agentLevel(7),
    violation: ['apps/agent/src/commands/cli.ts', 'apps/agent/src/main.ts'],
  },
  {
    name: 'test-kit-stays-in-tests',
    says: 'Only tests import `testkit`',
    imports: {
      from: { path: '^(apps|packages|contracts)/', pathNot: [TEST, '^packages/testkit', 'test'] },
      to: { path: '^packages/testkit' },
    },
    violation: ['apps/market/src/main.ts', 'packages/testkit/src/startChain.ts'],
  },
  {
    name: 'rules-have-no-clock',
    says: '`rules`, `app-spec`, `protocol` and `hardware` are given time, chance and surroundings as arguments',
    text: { of: ['packages/{app-spec,rules,protocol,hardware}/src/**/*.ts'], except: TESTS, finds: findImpure },
    violation: ['packages/rules/src/order/now.ts', 'export const now = () => Date.now()'],
  },
  {
    name: 'features-fetch-nothing',
    says: 'Features and entities of the web ask through `platform/api` and the `sdk`, never by `fetch`',
    text: {
      of: ['apps/web/src/{features,entities}/**/*.{ts,tsx}'],
      except: TESTS,
      finds: (source) => source.match(/\bfetch\(|new (?:WebSocket|EventSource|XMLHttpRequest)\b/g) ?? [],
    },
    violation: ['apps/web/src/features/home/prices.ts', "export const read = () => fetch('/v1/prices')"],
  },
]
