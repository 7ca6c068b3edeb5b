import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** What a test that needs images and an engine cannot do without. */
const ENGINE = /testing\/(setupAgent|setupRuntime|whyNoContainers|whyNoMachines|ownImageBase)\.ts|podman/
const files = globSync('src/**/*.test.ts', { cwd: import.meta.dirname })
const withContainers = files.filter((file) => ENGINE.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))

export default defineConfig({
  test: {
    testTimeout: 240_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    expect: { poll: { timeout: 120_000 } },
    // One world for the files of a project: each would load the chain's library and the gateway anew.
    isolate: false,
    projects: [
      {
        extends: true,
        // A whole run has made them before: to find that out, each of its steps would load the agent again.
        test: {
          name: 'agent',
          include: withContainers,
          globalSetup: process.env.RACKFAIR_IMAGES === 'made' ? [] : 'src/testing/makeImages.ts',
        },
      },
      {
        extends: true,
        test: { name: 'agent-alone', include: files.filter((file) => !withContainers.includes(file)) },
      },
    ],
  },
})
