import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, whyNoAgent } from './agentTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { runApp } from './runApp.ts'
import { openConnected } from './test.ts'

const reason = whyNoAgent ?? (existsSync('/usr/bin/ssh') ? undefined : 'the ssh client is not installed')
test.skip(reason !== undefined, reason)
test.setTimeout(600_000)
const SLOW_MS = 60_000

test('adds a public key on the order’s page that signs in by the shown command until it is removed', async ({
  page,
  market,
  wallet,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'rackfair-ssh-page-'))
  const file = join(folder, 'id')
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'laptop', '-f', file])
  const { orderId, leave } = await runApp(market, wallet.account, 'ubuntu')
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${orderId}&tab=events`)
  await page.getByRole('tab', { name: 'Usage' }).click()
  await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
  const card = page.getByRole('region', { name: 'SSH' })
  await expect(card).toContainText('Nobody can sign in yet', { timeout: SLOW_MS })
  await isAccessibleInEveryLook(page)

  await card.getByRole('button', { name: 'Add a key' }).click()
  await card.getByRole('textbox', { name: 'Public key' }).fill(await readFile(file, 'utf8'))
  await card.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(card).toContainText('This is not a public SSH key', { timeout: SLOW_MS })
  await isAccessibleInEveryLook(page)
  await card.getByRole('textbox', { name: 'Public key' }).fill(await readFile(`${file}.pub`, 'utf8'))
  await card.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(card.getByRole('listitem')).toHaveText([/^laptop/], { timeout: SLOW_MS })

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => Object.assign(window, { copied: text }) },
    })
  })
  const copied = () => page.evaluate(() => (window as unknown as { copied: string }).copied)
  await card.getByRole('button', { name: 'Copy the line for known_hosts' }).click()
  const known = join(folder, 'known_hosts')
  await writeFile(known, `${await copied()}\n`)
  await card.getByRole('button', { name: /^Copy ssh -p / }).click()
  const [program = '', ...command] = (await copied()).split(' ')
  expect(command.at(-1)).toMatch(new RegExp(`^order-${orderId}@`))
  const options = ['StrictHostKeyChecking=yes', 'BatchMode=yes', 'IdentitiesOnly=yes', `UserKnownHostsFile=${known}`]
  const signIn = () =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const args = ['-F', '/dev/null', ...options.flatMap((one) => ['-o', one]), '-i', file, ...command, 'id -un']
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      child.once('close', (code) => resolve({ code, out }))
    })
  expect(await signIn()).toEqual({ code: 0, out: 'renter\n' })
  await page.reload()
  await expect(card.getByRole('listitem')).toHaveText([/^laptopused/], { timeout: SLOW_MS })
  await isAccessibleInEveryLook(page)

  // The workspace is reached, and then the chain is away that says whose key this is.
  const [, print = ''] = spawnSync('ssh-keygen', ['-l', '-f', known], { encoding: 'utf8' }).stdout.split(' ')
  expect(print).toMatch(/^SHA256:/)
  await expect(card).toContainText(print, { timeout: SLOW_MS })
  let isAway = false
  page.once('websocket', () => {
    isAway = true
  })
  await page.route(`${market.rpcUrl}/**`, (route) => (isAway ? route.abort() : route.continue()))
  await page.reload()
  await expect(card).toContainText('could not be checked against the chain', { timeout: SLOW_MS })
  await expect(card).not.toContainText(print)
  await isAccessibleInEveryLook(page)
  isAway = false
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect(card).toContainText(print, { timeout: SLOW_MS })

  await card.getByRole('button', { name: 'Remove the key laptop' }).click()
  await expect(card).toContainText('Nobody can sign in yet', { timeout: SLOW_MS })
  expect((await signIn()).code).toBe(255)
  await leave()
  await rm(folder, { recursive: true })
})
