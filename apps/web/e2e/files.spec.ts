import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { pidOf } from '@rackfair/testkit'
import { expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'
import { openConnected } from './test.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)
test.setTimeout(900_000)
const SLOW_MS = 60_000
/** After a connection that broke, a file that is in the way is taken for the upload's own for up to a minute. */
const REFUSED_MS = 3 * SLOW_MS
const LARGE_BYTES = 48 * 2 ** 20
/** How much of a file that is held the page can read. */
const HELD_BYTES = 4 * 2 ** 20
/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** A download at this pace lasts until it is interrupted, however late that is. */
const SLOW_BYTES_PER_SECOND = 500_000

test('transfers files both ways whole or not at all, even while platform and agent are killed', { tag: '@long' }, async ({
  page,
  market,
  wallet,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'rackfair-files-'))
  const large = randomBytes(LARGE_BYTES)
  const largeFile = join(folder, 'large.bin')
  await writeFile(largeFile, large)
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  // No dialog of the operating system: the browser downloads it itself.
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }))
  await page.addInitScript(makeFilesHoldable, HELD_BYTES)
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}&tab=files`)
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const table = page.getByRole('table')
  const input = page.locator('input[type=file]')
  const transfers = page.getByRole('region', { name: 'Uploads and downloads' })
  const row = (name: string) => transfers.getByRole('listitem').filter({ hasText: name })
  const isDone = (one: Locator) => expect(one.getByRole('status')).toHaveText('done', { timeout: 5 * SLOW_MS })
  const clear = () => transfers.getByRole('button', { name: 'Clear finished' }).click()
  /** While files are held, an upload stays in its middle. */
  const hold = (isHeld: boolean) => page.evaluate((held) => void Object.assign(window, { filesAreHeld: held }), isHeld)
  const pressReplace = (name: string) => row(name).getByRole('button', { name: 'Replace' }).click({ timeout: REFUSED_MS })
  const isUnderWay = (name: string) => expect(row(name)).toContainText(/[\d.]+ MB of/, { timeout: SLOW_MS })

  await test.step('shows the order’s disk with what is uploaded', async () => {
    await expect(page.getByText('Nothing is in this folder')).toBeVisible({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await input.setInputFiles([file('notes.txt', 'first'), file('in\u202Evoice <b>.txt', 'x')])
    await expect(table.getByText('notes.txt')).toBeVisible({ timeout: SLOW_MS })
    await expect(table.getByText('in·voice <b>.txt')).toBeVisible({ timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('first'))
    await clear()
  })

  await test.step('replaces an existing file only after a confirmation', async () => {
    await input.setInputFiles([file('notes.txt', 'second')])
    await expect(row('notes.txt')).toContainText('There is already a file or folder with this name', { timeout: REFUSED_MS })
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('first'))
    await clear()
    await pressReplace('notes.txt')
    await isDone(row('notes.txt'))
    await clear()
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('second'))
    await clear()
  })

  await test.step('opens a text, changes and saves it, and shows a picture', async () => {
    await table.getByRole('button', { name: 'notes.txt', exact: true }).click()
    const viewer = page.getByRole('dialog', { name: 'notes.txt' })
    const contents = viewer.getByRole('textbox', { name: 'Contents of notes.txt' })
    await expect(contents).toHaveValue('second', { timeout: SLOW_MS })
    await isAccessibleInEveryLook(page)
    await contents.fill('third\nline')
    await viewer.getByRole('button', { name: 'Save' }).click()
    await expect(viewer).toBeHidden({ timeout: SLOW_MS })
    await clear()
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('third\nline'))
    await clear()
    await input.setInputFiles([{ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE }])
    await table.getByRole('button', { name: 'dot.png', exact: true }).click({ timeout: SLOW_MS })
    const picture = page.getByRole('img', { name: 'Contents of dot.png' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: SLOW_MS }).toBe(1)
    await page.keyboard.press('Escape')
    await input.setInputFiles([file('notes.txt', 'second')])
    await pressReplace('notes.txt')
    await isDone(row('notes.txt'))
    await clear()
  })

  await test.step('creates, opens, fills, downloads, renames and deletes a folder', async () => {
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
    await expect(dialog).toContainText('There is already a file or folder with this name', { timeout: SLOW_MS })
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

  await test.step('keeps the old file when an upload is stopped', async () => {
    await hold(true)
    await input.setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: large }])
    await pressReplace('notes.txt')
    await isUnderWay('notes.txt')
    await row('notes.txt').getByRole('button', { name: 'Stop notes.txt' }).click()
    await hold(false)
    expect(await download(page, 'notes.txt', 'Download')).toEqual(Buffer.from('second'))
    await clear()
  })

  for (const killed of ['platform', 'agent'] as const)
    await test.step(`restarts and completes an upload after the ${killed} is killed`, async () => {
      await hold(true)
      await input.setInputFiles(largeFile)
      if (killed === 'agent') await pressReplace('large.bin')
      await isUnderWay('large.bin')
      const keeper = pidOf(market.stateDir, 'market')
      process.kill(keeper, 'SIGSTOP')
      process.kill(pidOf(market.stateDir, killed), 'SIGKILL')
      await hold(false)
      await expect(row('large.bin').getByRole('status')).toHaveText('not connected; starts over', { timeout: 2 * SLOW_MS })
      process.kill(keeper, 'SIGCONT')
      await isDone(row('large.bin'))
      await clear()
      expect(hash(await download(page, 'large.bin', 'Download'))).toBe(hash(large))
      await clear()
    })

  await test.step('restarts and completes a download after the platform is killed', async () => {
    const network = await page.context().newCDPSession(page)
    const pace = (bytesPerSecond: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: bytesPerSecond, uploadThroughput: -1 },
      })
    await pace(SLOW_BYTES_PER_SECOND)
    await choose(page, 'large.bin', 'Download')
    await isUnderWay('large.bin')
    process.kill(pidOf(market.stateDir, 'platform'), 'SIGKILL')
    await pace(-1)
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

/** Runs in the page, before its scripts: of a file, only so much can be read while `filesAreHeld`. */
function makeFilesHoldable(heldBytes: number): void {
  const { stream } = Blob.prototype
  Blob.prototype.stream = function () {
    let read = 0
    const held = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      async transform(piece, controller) {
        read += piece.length
        while (read > heldBytes && 'filesAreHeld' in window && window.filesAreHeld) await new Promise((go) => setTimeout(go, 50))
        controller.enqueue(piece)
      },
    })
    return stream.call(this).pipeThrough(held)
  }
}

/** Drops a file like a user. */
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
