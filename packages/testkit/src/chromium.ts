/** Where Debian's package puts it; `RACKFAIR_CHROMIUM` names another one. */
export const CHROMIUM = process.env.RACKFAIR_CHROMIUM ?? '/usr/bin/chromium'

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
