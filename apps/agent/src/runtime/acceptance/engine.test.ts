import { afterAll, beforeAll, describe, it } from 'vitest'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { CASES } from './cases.ts'

const NGINX = 2
const reason = whyNoContainers()

describe.skipIf(reason)(`podman as a runtime (${reason ?? 'here'})`, () => {
  let test: TestRuntime
  beforeAll(async () => {
    test = await setupRuntime()
  })
  afterAll(() => test?.close())

  it.each(CASES)('$name', ({ run }) => run({ runtime: test.runtime, open: test.open, nginx: test.app(NGINX) }))
})
