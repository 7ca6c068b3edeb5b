import { chromium } from '@playwright/test'
import { CHROMIUM_LAUNCH } from '@rackfair/testkit'

/** The Chromium of the browser tests, headless. */
export function openBrowser(options: { debugPort?: number } = {}) {
  const port = options.debugPort === undefined ? [] : [`--remote-debugging-port=${options.debugPort}`]
  return chromium.launch({ ...CHROMIUM_LAUNCH, args: [...CHROMIUM_LAUNCH.args, ...port] })
}
