import { existsSync } from 'node:fs'

/** Where packages put it. The shell has no windows of its own: a page in it costs a quarter of the processor time to open. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome-stable'] as const

/** The browser of the tests; `RACKFAIR_CHROMIUM` names another one. */
export const CHROMIUM = process.env.RACKFAIR_CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0]

/** How Playwright starts it: as root, and without anything that Chromium would ask the outside by itself. */
export const CHROMIUM_LAUNCH = {
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
