import type { Page } from '@playwright/test'
import { formatDeployText } from '@rackfair/protocol/deployText'
import type { NodeListItem } from '@rackfair/protocol/nodes'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { PRESET_IDS } from '@rackfair/rules/presets'
import { type ContractCall, contractCall, createApi, quoteOrder, readAddresses, waitForReceipt } from '@rackfair/sdk'
import type { RunningMarket } from '@rackfair/testkit'
import { type Address, createClient, encodeFunctionData, type Hex, http, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { whyNoAgent } from './agentTest.ts'
import { type BatchCall, deploySmartAccount } from './deploySmartAccount.ts'
import { isAccessible } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { test as base, expect } from './relayTest.ts'
import { choose, connect, openConnect } from './test.ts'

/** Buys and deploys a terminal without the UI, which has its own tests. `send` is the wallet's. */
const test = base.extend<{ terminalOf: (wallet: Buyer) => Promise<string> }>({
  withAgent: [true, { scope: 'worker' }],
  terminalOf: async ({ market }, use) => {
    const undo: (() => Promise<unknown>)[] = []
    await use(async (buyer) => {
      const { orderId, leave } = await buyTerminal(market, buyer)
      undo.push(leave)
      return orderId
    })
    for (const leave of undo) await leave()
  },
})

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(240_000)

test('signs once with the development wallet, and opens the terminal in its own tab', async ({ page, market, terminalOf }) => {
  const key = generatePrivateKey()
  await page.addInitScript((text) => localStorage.setItem('rackfair.developmentWallet', text), key)
  const orderId = await terminalOf(keyBuyer(market, privateKeyToAccount(key)))
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await openConnect(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Development wallet/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign the message' }).click()
  await visit(page).click()
  const dialog = page.getByRole('dialog', { name: /^Open / })
  await expect(dialog).toContainText('up to seven days')
  await isAccessible(page)
  const terminal = await signAndOpen(page)
  await expect(dialog).toBeHidden()
  const { host, hash, pathname } = new URL(terminal.url())
  expect([hash, pathname]).toEqual(['', '/'])
  expect(host).not.toBe(new URL(market.url).host)
  expect(await terminal.evaluate(() => [window.opener, document.referrer, history.length])).toEqual([null, '', 1])
  await terminal.keyboard.insertText('echo é-$((40+2))')
  await terminal.keyboard.press('Enter')
  await expect(terminal.locator('.xterm-rows')).toContainText('é-42')
  const forReaders = terminal.getByRole('switch', { name: 'Screen reader' })
  await expect(forReaders).not.toBeChecked()
  await choose(forReaders)
  await terminal.reload()
  await expect(forReaders).toBeChecked()
  await expect(terminal.locator('.xterm-accessibility-tree')).toContainText('$')
  await isAccessible(terminal)
  await terminal.close()
  // Another day, another tab: no signature is requested.
  await page.reload()
  await (await opened(page, () => visit(page).click())).close()
  await page
    .getByRole('button', { name: /^Account/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(visit(page)).toBeHidden()
  await expect.poll(() => page.evaluate(countKeys)).toBe(0)
})

test('asks a browser wallet once, and offers a button to open after a slow signature', async ({
  page,
  market,
  wallet,
  terminalOf,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } }))
  const orderId = await terminalOf(keyBuyer(market, wallet.account))
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await connect(page, wallet)
  const signatures = () => wallet.asked.filter((method) => method === 'personal_sign').length
  expect(signatures()).toBe(1)
  await visit(page).click()
  wallet.refuseNext('personal_sign')
  await page.getByRole('button', { name: 'Sign and open' }).click()
  await expect.poll(signatures).toBe(2)
  await page.getByRole('button', { name: 'Sign and open' }).click()
  await (
    await opened(page, () =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Open / })
        .click(),
    )
  ).close()
  // The press may also have grown old while the ticket was made, with a key of before.
  await visit(page).click()
  const dialog = page.getByRole('dialog', { name: /^Open / })
  await expect(dialog).toContainText('your browser wants another press')
  await isAccessible(page)
  await (await opened(page, () => dialog.getByRole('button', { name: /^Open / }).click())).close()
  await expect(dialog).toBeHidden()
  await page.evaluate(() => Object.assign(navigator.userActivation, { isActive: true }))
  await (await opened(page, () => visit(page).click())).close()
  expect(signatures()).toBe(3)
})

test('accepts a smart account by the response of its contract', async ({ page, market, wallet, terminalOf }) => {
  const { client } = await marketActor(market, wallet.account)
  const smart = await deploySmartAccount(market.rpcUrl, wallet.account)
  wallet.smart = smart
  const send = async (...calls: ContractCall[]) => {
    const batch: BatchCall[] = calls.map((call) => ({ to: call.address, data: encodeFunctionData(call as never) }))
    await waitForReceipt(client, await smart.execute(batch))
  }
  const orderId = await terminalOf({ address: smart.address, signer: wallet.account, send })
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await connect(page, wallet)
  await visit(page).click()
  await (await signAndOpen(page)).close()
})

test('signs on a phone over WalletConnect, and opens the terminal here', { tag: '@long' }, async ({
  page,
  market,
  phone,
  terminalOf,
}) => {
  const orderId = await terminalOf(keyBuyer(market, phone.account))
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await openConnect(page)
  await page.getByRole('dialog').getByRole('button', { name: 'WalletConnect' }).click()
  // Only a narrow window also shows the code as a link.
  await page.setViewportSize({ width: 600, height: 800 })
  const code = page.getByRole('link', { name: 'Open the app' })
  await phone.scan((await code.getAttribute('href')) ?? '')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('dialog').getByRole('button', { name: 'Sign the message' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await visit(page).click()
  await (await signAndOpen(page)).close()
  expect(phone.asked).toEqual(['personal_sign', 'personal_sign'])
})

const visit = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Visit/ })

/** Runs in the page: number of orders for which this browser has a key. */
function countKeys(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('rackfair.workspace')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const counting = opening.result.transaction('keys').objectStore('keys').count()
      counting.onsuccess = () => resolve(counting.result)
    }
  })
}

/** The tab that a press opens, once it shows a shell. */
async function opened(page: Page, press: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), press()])
  await expect(tab.locator('.xterm-rows')).toContainText('$', { timeout: 60_000 })
  return tab
}

/** The tab that a signature opens. On a busy machine the user activation expires first, and another press is needed. */
const signAndOpen = (page: Page) =>
  opened(page, async () => {
    const again = page.getByRole('dialog', { name: 'Your wallet has signed' }).getByRole('button', { name: /^Open/ })
    const opening = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Sign and open' }).click()
    await Promise.race([opening, again.waitFor()])
    if (await again.isVisible()) await again.click()
  })

interface Buyer {
  address: Address
  signer: LocalAccount
  send: (...calls: ContractCall[]) => Promise<void>
}

function keyBuyer(market: RunningMarket, account: LocalAccount): Buyer {
  const actor = marketActor(market, account)
  return {
    address: account.address,
    signer: account,
    send: async (...calls) => {
      for (const call of calls) await (await actor).send(call)
    },
  }
}

async function buyTerminal(market: RunningMarket, { address, signer, send }: Buyer) {
  const api = createApi({ baseUrl: market.url })
  const client = createClient({ transport: http(market.rpcUrl) })
  const { access, chainId } = await api.config()
  for (const hash of (await api.faucet(address)).transactionHashes) await waitForReceipt(client, hash as Hex)
  const addresses = await readAddresses(client, access as Address)
  const idle = async () => (await api.nodes({ idle: true, online: true })).items[0]
  await expect.poll(idle, { timeout: 60_000 }).toBeDefined()
  const node = (await idle()) as NodeListItem
  const provider = node.cp as Address
  const { feeWei, rev, conditions } = await quoteOrder(client, addresses, provider, BigInt(node.id), MONTH_SECONDS)
  await send(
    contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]),
    contractCall(addresses, 'market', 'createOrder', [
      { provider, nodeId: BigInt(node.id), rev, duration: MONTH_SECONDS, maxFee: feeWei, conditions, app: '' },
    ]),
  )
  await expect.poll(async () => (await api.userOrders(address)).length, { timeout: 60_000 }).toBe(1)
  const orderId = (await api.userOrders(address))[0]?.id ?? ''
  const text = formatDeployText({
    ...{ orderId: BigInt(orderId), deployId: PRESET_IDS.ubuntu, wallet: address, provider, chainId },
    time: Math.floor(Date.now() / 1000),
  })
  await api.deploy({ text, signature: await signer.signMessage({ message: text }) })
  await expect.poll(async () => (await api.orderDeployment(orderId)).phase, { timeout: 200_000 }).toBe('Running')
  await expect.poll(async () => (await api.order(orderId)).activateTime, { timeout: 60_000 }).toBeGreaterThan(0)
  return { orderId, leave: () => send(contractCall(addresses, 'market', 'userCancel', [BigInt(orderId)])) }
}
