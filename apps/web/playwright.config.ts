import { randomUUID } from 'node:crypto'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_LAUNCH } from '@rackfair/testkit'

/** Runs at the same time must not clear each other's traces; the workers of one run inherit its name. */
process.env.RACKFAIR_E2E_RUN ??= randomUUID()

/** Their markets run containers, whose networks disturb every browser of the machine: one at a time, and apart from the others. */
const WITH_CONTAINERS =
  /(buyer|cluster|cockpit|events|files|firstDeploy|logs|machines|outages|ownImage|sample|smartAccount|ssh|visit)\.spec\.ts$/

export default defineConfig({
  outputDir: `test-results/${process.env.RACKFAIR_E2E_RUN}`,
  testDir: 'e2e',
  globalSetup: './e2e/restoredMarket.ts',
  timeout: 300_000,
  // Next to other work, a page may wait for the processor for many seconds.
  expect: { timeout: 60_000 },
  workers: 2,
  projects: [
    { name: 'pages', testIgnore: WITH_CONTAINERS },
    { name: 'containers', testMatch: WITH_CONTAINERS, workers: 1 },
  ],
  reporter: [['line']],
  use: {
    viewport: { width: 1280, height: 800 },
    // A copy of the page before and after every action is a sixth of the run; a failure names its last page without it.
    trace: process.env.RACKFAIR_TRACE ? 'retain-on-failure' : 'off',
    // Moving pictures are drawn by the processor here, sixty times a second.
    contextOptions: { reducedMotion: 'reduce' },
    // Pages live for seconds: to optimize their programs costs more than it saves.
    launchOptions: { ...CHROMIUM_LAUNCH, args: [...CHROMIUM_LAUNCH.args, '--js-flags=--no-turbofan --no-maglev'] },
  },
})
