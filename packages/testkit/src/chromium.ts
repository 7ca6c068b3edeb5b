import { existsSync } from 'node:fs'

/** Where distributions install it. The headless shell has no windows: a page in it takes a quarter of the processor time to open. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome-stable'] as const

/** The browser of the tests; `RACKFAIR_CHROMIUM` overrides it. */
export const CHROMIUM = process.env.RACKFAIR_CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0]

/** Launch options for Playwright: runs as root, and disables Chromium's own requests to the outside. */
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
