import { existsSync } from 'node:fs'
import { CHROMIUM, CHROMIUM_LAUNCH, openPage } from '@rackfair/testkit'
import { type Browser, chromium, type Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupGateway } from '../../testing/setupGateway.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'

const SHELL = 3
const ORDER = 1n
const IDLE_MS = 3000
const SESSION_SECONDS = 12 * 3600
const reason = whyNoContainers() ?? (existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}`)

/** A single sequence in a real browser: each test continues where the previous one ended. */
describe.skipIf(reason)(`the owner’s terminal in a browser (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let door: Awaited<ReturnType<typeof setupGateway>>
  let browser: Browser
  let page: Page
  let address: string
  const problems: string[] = []

  beforeAll(async () => {
    market = await setupRuntime()
    address = await market.run(ORDER, SHELL)
    door = await setupGateway({ runtime: market.runtime, ownPorts: true })
    door.put(ORDER, { deployId: SHELL, address })
    browser = await chromium.launch(CHROMIUM_LAUNCH)
    page = await visitor(door.owner)
    page.on('pageerror', (error) => problems.push(error.message))
  })
  afterAll(async () => {
    await browser?.close()
    await door?.close()
    await market?.close()
  })

  /** A browser with or without a wallet. */
  const visitor = async (account?: {
    address: string
    signMessage(of: { message: { raw: `0x${string}` } }): Promise<string>
  }) => {
    const context = await browser.newContext({ viewport: { width: 1000, height: 640 } })
    const next = await context.newPage()
    if (!account) return next
    await next.exposeFunction('testWallet', (method: string, params: `0x${string}`[]) =>
      method === 'eth_requestAccounts'
        ? [account.address]
        : account.signMessage({ message: { raw: params[0] as `0x${string}` } }),
    )
    await next.addInitScript(ANNOUNCE_WALLET)
    return next
  }
  const screen = async () => String(await page.evaluate(READ_ROWS))
  const shows = (text: string | RegExp) => expect.poll(() => screen()).toMatch(text)
  /** Types a line once and waits for its output. */
  const answer = async (line: string, pattern: RegExp): Promise<string> => {
    await page.keyboard.type(`clear; ${line}\n`)
    await shows(pattern)
    return pattern.exec(await screen())?.[1] ?? ''
  }
  /** All texts of the status line under the terminal so far, newest last. */
  const sayings = () => page.evaluate('window.sayings.join("|")')
  const status = (of: Page) => of.locator('[role=status]')
  const columns = async () => Number(await answer('set -- $(stty size); echo columns-$2', /columns-(\d+)/))

  it('reports a missing wallet, and refuses one that does not own the order', async () => {
    const without = await visitor()
    await openPage(without, door.link(ORDER))
    await expect.poll(() => status(without).textContent()).toContain('No wallet was found')
    expect(await without.getByRole('button').isDisabled()).toBe(true)
    const stranger = await visitor(privateKeyToAccount(generatePrivateKey()))
    await openPage(stranger, door.link(ORDER))
    await stranger.getByRole('button', { name: 'Sign with wallet' }).click()
    await expect.poll(() => status(stranger).textContent()).toContain('does not own the order')
    await stranger.evaluate(`window.dispatchEvent(new Event('eip6963:requestProvider'))`)
    expect(await status(stranger).textContent()).toContain('does not own the order')
    expect(await stranger.getByRole('button').isEnabled()).toBe(true)
    for (const one of [without, stranger]) await one.context().close()
  })

  it('signs once and types into the shell', async () => {
    await openPage(page, door.link(ORDER))
    await page.getByRole('button', { name: 'Sign with wallet' }).click()
    await page.locator('.xterm-rows').waitFor()
    await shows(/\$/)
    await answer('export KEPT=here; echo sum-$((40+2))', /sum-42/)
  })

  it('pastes many lines at once', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n')
    await page.keyboard.type('clear; echo ready-$((1+1)); wc -l\n')
    await shows('ready-2')
    await page.evaluate(`(${PASTE})(${JSON.stringify(`${lines}\n`)})`)
    await shows('line 199')
    await page.keyboard.press('Control+d')
    await shows(/^200$/m)
  })

  it('does not freeze on sequences repeated two billion times', async () => {
    const other = await page.context().newPage()
    // The shell's own screen in between leaves such sequences out; not every container has one.
    await other.routeWebSocket(/terminal/, (socket) => socket.send(Buffer.from('a\x1b[2147483647b\x1b[2147483647Lgoes-on')))
    await openPage(other, page.url())
    await expect.poll(async () => String(await other.evaluate(READ_ROWS))).toContain('agoes-on')
    await other.close()
  })

  it('resizes the shell with the window', async () => {
    const wide = await columns()
    expect(wide).toBeGreaterThan(100)
    await page.setViewportSize({ width: 500, height: 640 })
    await expect.poll(columns).toBeLessThan(wide * 0.6)
    await page.setViewportSize({ width: 1000, height: 640 })
    await expect.poll(columns).toBeGreaterThan(wide - 3)
  })

  it('resumes the shell after a lost connection and after a reload', async () => {
    await page.evaluate(KEEP_SAYINGS)
    door.disconnect()
    await expect.poll(sayings).toMatch(/Reconnecting/)
    await answer('echo kept-$KEPT', /kept-here/)
    expect(await sayings()).toMatch(/Reconnecting[^|]*\|$/)
    await page.reload()
    await page.locator('.xterm-rows').waitFor()
    await answer('echo still-$KEPT', /still-here/)
  })

  it('asks to sign in again when the connection is lost after the session expired', async () => {
    door.clock.offset = SESSION_SECONDS + 1
    door.disconnect()
    await page.getByRole('button', { name: 'Sign with wallet' }).click()
    await page.locator('.xterm-rows').waitFor()
    await answer('echo back-$KEPT', /back-here/)
    expect(problems).toEqual([])
  })

  it('disconnects when idle, and reconnects on a key press', async () => {
    const hasty = await setupGateway({ runtime: market.runtime, ownPorts: true, terminalIdleMs: IDLE_MS })
    hasty.put(ORDER, { deployId: SHELL, address })
    const idle = await visitor(hasty.owner)
    await openPage(idle, hasty.link(ORDER))
    await idle.getByRole('button', { name: 'Sign with wallet' }).click()
    await idle.locator('.xterm-rows').waitFor()
    await expect.poll(() => status(idle).textContent()).toContain('Press a key to continue')
    await idle.evaluate(KEEP_SAYINGS)
    await idle.keyboard.press('x')
    // On a busy machine it is idle again before anybody looks.
    await expect.poll(() => idle.evaluate('window.sayings')).toContain('')
    await idle.context().close()
    await hasty.close()
  })
})

/** A wallet announced like a browser extension (EIP-6963), backed by the function that the test exposes. */
const ANNOUNCE_WALLET = `
  const provider = { request: ({ method, params }) => window.testWallet(method, params ?? []) }
  const info = { uuid: 'test', name: 'Test wallet', icon: 'data:,', rdns: 'test' }
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  window.addEventListener('eip6963:requestProvider', announce)
`

const KEEP_SAYINGS = `
  window.sayings = []
  const status = document.querySelector('[role=status]')
  new MutationObserver(() => window.sayings.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true })
`

const READ_ROWS = `[...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent).join('\\n')`
const PASTE = `(text) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
  document.querySelector('.xterm-helper-textarea').dispatchEvent(paste)
}`
