import { expect, type Page } from '@playwright/test'
import { en as uiEn } from '../src/ui/messages.en.ts'
import { zh as uiZh } from '../src/ui/messages.zh.ts'
import { en } from '../src/wallet/dialogs/messages.en.ts'
import { zh } from '../src/wallet/dialogs/messages.zh.ts'
import { en as headerEn } from '../src/wallet/messages.en.ts'
import { zh as headerZh } from '../src/wallet/messages.zh.ts'
import { seenBriefly } from './seenBriefly.ts'
import type { TestWallet } from './TestWallet.ts'

export interface Walk {
  page: Page
  market: { url: string }
  wallet: TestWallet
  locale: 'en' | 'zh'
  /** Called with the name of every state while it is on screen. */
  look: (state: string) => Promise<void>
}

/** Walks through every dialog, step, failure and wait of the wallet, by the labels of its buttons. */
export async function walkWallet(walk: Walk): Promise<void> {
  const { page, market, wallet, locale } = walk
  await page.addInitScript((chosen) => localStorage.setItem('rackfair.locale', chosen), locale)
  await page.addInitScript(storeTransactions, { address: wallet.address.toLowerCase(), texts: DESCRIPTIONS[locale] })
  await page.route('**/v1/config', (route) => route.abort())
  // A server-rendered page includes the settings; with a query string it is the prerendered page of the build.
  await page.goto(`${market.url}/status?from=mail`)
  await startDialog(walk)
  await getAWallet(walk)
  await connecting(walk)
  await signingIn(walk)
  await account(walk)
  await chains(walk)
}

const DESCRIPTIONS = {
  en: ['Buy helios-1 for 3 months', 'Extend order 48 by one month', 'Cancel order 47 on a machine with a long name'],
  zh: ['购买 helios-1，为期 3 个月', '将订单 48 延长一个月', '取消机器名称很长的订单 47'],
}

function texts({ page, locale }: Walk) {
  const dialog = page.getByRole('dialog')
  return {
    text: locale === 'en' ? en : zh,
    header: locale === 'en' ? headerEn : headerZh,
    dialog,
    button: (name: string) => dialog.getByRole('button', { name }),
    heading: (name: string) => dialog.getByRole('heading', { name, exact: true }),
    banner: (name: string | RegExp) => page.getByRole('banner').getByRole('button', { name }).filter({ visible: true }),
  }
}

/** The installation's settings fail to load, then load. */
async function startDialog(walk: Walk): Promise<void> {
  const { page, look } = walk
  const { text, header, dialog, button, banner } = texts(walk)
  await banner(header.connect).click()
  await expect(dialog).toContainText(text.connect.settingsFailed)
  await look('settings-failed')
  const go = Promise.withResolvers<void>()
  // A second handler runs first, so no request in between escapes both.
  await page.route('**/v1/config', (route) => go.promise.then(() => route.continue()))
  await dialog.getByRole('button').last().click()
  await page.keyboard.press('Escape')
  await banner(header.connect).click()
  await look('settings-on-their-way')
  go.resolve()
  await expect(button('WalletConnect')).toBeVisible()
  await look('list')
}

/** LEARN_COMPACT, GET, DOWNLOAD_OPTIONS, DOWNLOAD and the three INSTRUCTIONS. */
async function getAWallet(walk: Walk): Promise<void> {
  const { look } = walk
  const { text, dialog, button, heading } = texts(walk)
  const compact = await button(text.connect.whatIs).isVisible()
  if (compact) {
    await button(text.connect.whatIs).click()
    await look('learn')
  }
  await button(text.connect.getWallet).click()
  await look('get')
  await button(text.get.getNamed('Rabby Wallet')).click()
  await look('download-options')
  await button(text.options.mobile).click()
  if (!compact) await expect(dialog.getByRole('img')).toBeVisible()
  await look('download')
  await button(text.download.next).click()
  await look('instructions-mobile')
  const back = button(text.connect.back).first()
  await back.click()
  await back.click()
  await button(text.options.extension).click()
  await look('instructions-extension')
  await back.click()
  await button(text.options.desktop).click()
  await look('instructions-desktop')
  for (let steps = compact ? 4 : 3; steps > 0; steps--) await back.click()
  await expect(heading(text.options.title('Rabby Wallet'))).toBeHidden()
}

/** CONNECT: a phone’s QR code, a pending wallet, one that fails, one that rejects. */
async function connecting(walk: Walk): Promise<void> {
  const { page, wallet, look } = walk
  const { text, dialog, button } = texts(walk)
  const back = async () => {
    if (!(await button(wallet.name).isVisible())) await button(text.connect.back).click()
  }
  await button('WalletConnect').click()
  await expect(dialog.getByRole('img')).toBeVisible()
  await look('code')
  await back()
  const held = wallet.hold('eth_requestAccounts')
  wallet.failNext('eth_requestAccounts', 'The extension has lost its background page.')
  await button(wallet.name).click()
  await held.asked
  await look('opening')
  held.release()
  await expect(button(text.opening.retry)).toBeVisible()
  await look('failed')
  wallet.refuseNext('eth_requestAccounts')
  await button(text.opening.retry).click()
  await expect(button(wallet.name)).toContainText(text.connect.declined)
  await look('declined')
  // Set up before the sign-in is shown: it fetches its nonce ahead of the press.
  await page.route('**/v1/auth/nonce', (route) => route.abort())
  await button(wallet.name).click()
}

/** The four errors, and the waits in between. */
async function signingIn(walk: Walk): Promise<void> {
  const { page, wallet, look } = walk
  const { text, header, dialog, button, banner } = texts(walk)
  const { problems } = text.signIn
  await expect(button(text.signIn.button)).toBeVisible()
  await look('sign-in')
  const fails = async (problem: keyof typeof problems) => {
    await button(text.signIn.button).click()
    await expect(dialog.getByRole('alert')).toHaveText(problems[problem])
    await look(problem)
  }
  await fails('preparing_error')
  await page.unroute('**/v1/auth/nonce')
  await page.route('**/v1/auth/nonce', (route) => route.fulfill({ json: { nonce: 'no nonce at all' } }), { times: 1 })
  await fails('oops_error')
  wallet.failNext('personal_sign', 'The device was unplugged.')
  await fails('signing_error')
  await page.route('**/v1/auth/verify', (route) => route.abort())
  await fails('verifying_error')
  await page.unroute('**/v1/auth/verify')
  await page.keyboard.press('Escape')
  await look('unauthenticated')
  await banner(header.signIn).click()
  const held = wallet.hold('personal_sign')
  await button(text.signIn.button).click()
  await held.asked
  await look('signing')
  held.release()
  await expect(dialog).toBeHidden()
  await look('connected')
}

async function account(walk: Walk): Promise<void> {
  const { page, wallet, locale, look } = walk
  const { text, header, dialog, button, banner } = texts(walk)
  await banner(new RegExp(`^${header.account}`)).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await look('account')
  await seenBriefly(dialog, locale === 'en' ? uiEn.copied : uiZh.copied, () => button(text.account.copy).click())
  await button(text.account.faucet).click()
  await expect(dialog.getByText(text.account.faucetDone)).toBeVisible()
  await look('faucet')
  await page.route('**/v1/faucet', (route) => route.abort())
  await button(text.account.faucet).click()
  await expect(page.getByRole('region').getByRole('listitem').locator('.text-bad').first()).toBeVisible()
  await look('faucet-failed')
  await button(text.account.clear).click()
  await expect(dialog).not.toContainText(text.account.status.confirmed)
  await page.keyboard.press('Escape')
  await wallet.switchAccount()
  await banner(header.signIn).click()
  await button(text.signIn.button).click()
  await banner(new RegExp(`^${header.account}`)).click()
  await expect(dialog).toContainText(text.account.noRecent)
  await look('account-empty')
  await page.keyboard.press('Escape')
}

async function chains(walk: Walk): Promise<void> {
  const { page, wallet, look } = walk
  const { text, header, dialog, button, banner } = texts(walk)
  if (await banner(new RegExp(`^${header.network}`)).isVisible()) {
    await banner(new RegExp(`^${header.network}`)).click()
    await look('chains')
    await page.keyboard.press('Escape')
  }
  await wallet.switchTo(1)
  await banner(header.wrongNetwork).click()
  await look('wrong-network')
  const held = wallet.hold('wallet_switchEthereumChain')
  wallet.failNext('wallet_switchEthereumChain', 'The wallet does not know how.')
  await button('2985').click()
  await held.asked
  await look('switching')
  held.release()
  await expect(dialog).toContainText(text.chain.failed)
  await look('switch-failed')
  await button(text.chain.disconnect).click()
  await expect(banner(header.connect)).toBeVisible()
  await look('disconnected')
}

/** Runs in the page. */
function storeTransactions({ address, texts: [first, second, third] }: { address: string; texts: string[] }): void {
  const entry = (digit: string, status: string, description: string | undefined) => ({
    hash: `0x${digit.repeat(64)}`,
    status,
    description,
  })
  const list = [entry('a', 'pending', first), entry('b', 'confirmed', second), entry('c', 'failed', third)]
  localStorage.setItem('rackfair.transactions', JSON.stringify({ [address]: { 2985: list } }))
}
