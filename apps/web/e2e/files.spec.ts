import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { pidOf } from '@rackfair/testkit'
import { connect, expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(900_000)
const SLOW_MS = 60_000
/** Long enough on its way that something can happen to it. */
const LARGE_BYTES = 48 * 2 ** 20

test('files are moved both ways whole or not at all, also while platform and agent are killed', { tag: '@long' }, async ({
  page,
  market,
  wallet,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'rackfair-files-'))
  const large = randomBytes(LARGE_BYTES)
  const largeFile = join(folder, 'large.bin')
  await writeFile(largeFile, large)
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  // Without a dialog of the operating system: a download of the browser's own.
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await page.goto(`${market.url}/orderinfo?id=${orderId}&tab=files`)
  await connect(page, wallet)
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const table = page.getByRole('table')
  const input = page.locator('input[type=file]')
  const transfers = page.getByRole('region', { name: 'Uploads and downloads' })
  const row = (name: string) => transfers.getByRole('listitem').filter({ hasText: name })
  const isDone = (one: Locator) => expect(one.getByRole('status')).toHaveText('done', { timeout: 5 * SLOW_MS })
  const clear = () => transfers.getByRole('button', { name: 'Clear what is done' }).click()

  await test.step('the order’s disk is shown, and what is uploaded is in it', async () => {
    await expect(page.getByText('Nothing is in this folder')).toBeVisible({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await input.setInputFiles([file('notes.txt', 'first'), file('in\u202Evoice <b>.txt', 'x')])
    await expect(table.getByText('notes.txt')).toBeVisible({ timeout: SLOW_MS })
    await expect(table.getByText('in·voice <b>.txt')).toBeVisible({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('first'))
    await clear()
  })

  await test.step('a file that is there is replaced only when that is said', async () => {
    await input.setInputFiles([file('notes.txt', 'second')])
    await expect(row('notes.txt')).toContainText('There is a file or folder of this name already', { timeout: SLOW_MS })
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('first'))
    await clear()
    await row('notes.txt').getByRole('button', { name: 'Replace' }).click()
    await isDone(row('notes.txt'))
    await clear()
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('second'))
    await clear()
  })

  await test.step('folders are made, opened, filled by dropping, downloaded as tar, renamed and deleted', async () => {
    await page.getByRole('button', { name: 'New folder' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('mine')
    await isAccessibleInEveryLook(page)
    await dialog.getByRole('button', { name: 'Create folder' }).click()
    await table.getByRole('button', { name: 'mine', exact: true }).click({ timeout: SLOW_MS })
    await expect(page.getByText('Nothing is in this folder')).toBeVisible({ timeout: SLOW_MS })
    await drop(page.getByText('Nothing is in this folder'), 'dropped.txt', 'let go')
    await expect(table.getByText('dropped.txt')).toBeVisible({ timeout: SLOW_MS })
    await page.getByRole('navigation', { name: 'Folder' }).getByRole('button', { name: 'renter' }).click()
    await page.getByRole('button', { name: 'New folder' }).click()
    await dialog.getByRole('textbox').fill('mine')
    await dialog.getByRole('button', { name: 'Create folder' }).click()
    await expect(dialog).toContainText('There is a file or folder of this name already', { timeout: SLOW_MS })
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await clear()
    const tar = await download(page, 'mine', 'Download as tar')
    expect(spawnSync('tar', ['xOf', '-', 'mine/dropped.txt'], { input: tar }).stdout.toString()).toBe('let go')
    await choose(page, 'mine', 'Rename…')
    await dialog.getByRole('textbox').fill('yours')
    await page.keyboard.press('Enter')
    await expect(table.getByRole('button', { name: 'yours', exact: true })).toBeVisible({ timeout: SLOW_MS })
    await choose(page, 'yours', 'Delete…')
    await expect(dialog).toContainText('/home/renter/yours is deleted with everything in it')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(table.getByRole('button', { name: 'yours', exact: true })).toHaveCount(0, { timeout: SLOW_MS })
    await clear()
  })

  await test.step('an upload that is stopped leaves what was there', async () => {
    await input.setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: large }])
    await row('notes.txt').getByRole('button', { name: 'Replace' }).click({ timeout: SLOW_MS })
    await expect(row('notes.txt')).toContainText(/[\d.]+ MB of/, { timeout: SLOW_MS })
    await row('notes.txt').getByRole('button', { name: 'Stop notes.txt' }).click()
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('second'))
    await clear()
  })

  for (const killed of ['platform', 'agent'] as const)
    await test.step(`the ${killed} is killed in the middle of an upload: it begins anew and is whole`, async () => {
      await input.setInputFiles(largeFile)
      if (killed === 'agent') await row('large.bin').getByRole('button', { name: 'Replace' }).click({ timeout: SLOW_MS })
      await expect(row('large.bin')).toContainText(/[\d.]+ MB of/, { timeout: SLOW_MS })
      process.kill(pidOf(market.stateDir, killed), 'SIGKILL')
      await expect(row('large.bin').getByRole('status')).toHaveText('not connected; begins anew', { timeout: 2 * SLOW_MS })
      await isDone(row('large.bin'))
      await clear()
      expect(hash(await download(page, 'large.bin', 'Download'))).toBe(hash(large))
      await clear()
    })

  await test.step('the platform is killed in the middle of a download: it begins anew and is whole', async () => {
    await choose(page, 'large.bin', 'Download')
    await expect(row('large.bin')).toContainText(/[\d.]+ MB of/, { timeout: SLOW_MS })
    process.kill(pidOf(market.stateDir, 'platform'), 'SIGKILL')
    const saved = page.waitForEvent('download', { timeout: 5 * SLOW_MS })
    await isDone(row('large.bin'))
    expect(hash(await readFile(await (await saved).path()))).toBe(hash(large))
  })
  await leave()
  await rm(folder, { recursive: true })
})

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `What to do with ${name}`, exact: true }).click({ timeout: SLOW_MS })
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function download(page: Page, name: string, action: 'Download' | 'Download as tar'): Promise<Buffer> {
  const saved = page.waitForEvent('download', { timeout: 5 * SLOW_MS })
  await choose(page, name, action)
  return readFile(await (await saved).path())
}

/** As a person drops a file of theirs. */
async function drop(place: Locator, name: string, text: string): Promise<void> {
  await place.evaluate(
    (element, dropped) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([dropped.text], dropped.name))
      for (const type of ['dragenter', 'dragover', 'drop'])
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    },
    { name, text },
  )
}
