import { chromium } from '@playwright/test'
import config from '../../apps/web/playwright.config.ts'

/** The Chromium of the browser tests, headless. */
export function openBrowser(options: { debugPort?: number } = {}) {
  const settings = config.use?.launchOptions ?? {}
  const port = options.debugPort === undefined ? [] : [`--remote-debugging-port=${options.debugPort}`]
  return chromium.launch({ ...settings, args: [...(settings.args ?? []), ...port] })
}
