import { readFileSync } from 'node:fs'
import { parseAppText } from '@rackfair/app-spec/appText'
import { parseDeployText, parseEnvText } from '@rackfair/protocol/deployText'
import { contractCall } from '@rackfair/sdk'
import { fromBase64url, fromUtf8, openRequest } from '@rackfair/sealed'
import { keccak256, toBytes } from 'viem'
import { buy, expect, test } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'

const COMPOSE = `services:
  db:
    image: postgres:16
    privileged: true
    environment:
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD}
      POSTGRES_DB: shop
    ports:
      - "5432:5432"
    volumes:
      - data:/var/lib/postgresql/data
      - /var/run/docker.sock:/var/run/docker.sock
volumes:
  data:
`

const SHOP = `services:
  web:
    build: .
    ports: ["8080:3000"]
    volumes: ["./web.conf:/etc/web.conf:ro"]
    env_file: web.env
    environment: {PASSWORD: "\${DB_PASSWORD}"}
    depends_on: {db: {condition: service_healthy}}
  db:
    image: postgres:\${TAG:-16}
    environment: {POSTGRES_PASSWORD: "\${DB_PASSWORD}"}
    volumes: ["data:/var/lib/postgresql/data"]
`

test('pastes, corrects and signs an own application with its secret, and follows it to its ports', async ({
  start,
  page,
  market,
  provider,
}) => {
  const orderId = await buy(start)
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [BigInt(orderId)]))
  provider.acceptDeploys()
  await page.goto(`${market.url}/orderdeploy/${orderId}/`)
  await page.getByRole('link', { name: 'Describe it' }).click()
  await expect(page.getByRole('heading', { name: 'Your own application', level: 1 })).toBeVisible()
  const sign = page.getByRole('button', { name: 'Sign and deploy' })
  await expect(sign).toHaveAttribute('aria-disabled', 'true')
  await isAccessibleInEveryLook(page)

  await page.getByText('Paste', { exact: true }).click()
  await page.getByRole('textbox', { name: /compose file/ }).fill(COMPOSE)
  const read = page.getByRole('region', { name: 'Read as' })
  await expect(read).toContainText('Line 4 services.db.privileged is not granted here')
  await expect(read).toContainText('Line 12 services.db.volumes.1 names a path of the host')
  await expect(read).toContainText('Line 6 services.db.environment.POSTGRES_PASSWORD becomes a secret')
  await expect(read).toContainText('Refused: 2')
  await isAccessibleInEveryLook(page)

  await read.getByRole('button', { name: 'Use the rest in the form' }).click()
  await expect(page.getByRole('textbox', { name: 'Image' })).toHaveValue('postgres:16')
  await expect(page.getByText('has no value.')).toBeVisible()
  await expect(sign).toHaveAttribute('aria-disabled', 'true')

  const yaml = page.getByTestId('app-yaml')
  await page.getByText('Paste', { exact: true }).click()
  await page.getByRole('textbox', { name: /compose file/ }).fill(SHOP)
  await expect(read).toContainText('Line 3 services.web.build is built on your machine')
  await expect(read).toContainText('services.web.volumes.0 is a single file that the order does not have. Give its text.')
  await expect(read).toContainText('services.web.env_file was not given')
  await isAccessibleInEveryLook(page)
  const lacking = page.getByRole('region', { name: 'What it names and does not have' })
  await lacking.getByLabel('web', { exact: true }).fill('ghcr.io/acme/shop:2.1')
  await lacking.getByLabel('./web.conf', { exact: true }).fill('listen 3000')
  const chooser = page.waitForEvent('filechooser')
  await lacking.getByRole('button', { name: 'Choose the file web.env' }).click()
  await (await chooser).setFiles({ name: 'web.env', mimeType: 'text/plain', buffer: Buffer.from('API_KEY=sealed\n') })
  await expect(page.getByLabel('API_KEY')).toHaveValue('sealed')
  await expect(lacking.getByLabel('TAG', { exact: true })).toHaveAttribute('placeholder', '16')
  const services = page.getByTestId('services')
  await expect(services).toContainText('web ghcr.io/acme/shop:2.1')
  await expect(services).toContainText('reads /etc/web.conf')
  await expect(services).toContainText('db docker.io/library/postgres:16')
  await expect(services).toContainText('opened by Visit')
  await expect(services).toContainText('once db is healthy')
  await expect(sign).toHaveAccessibleDescription('Give the values of its secrets first.')
  await page.getByLabel('DB_PASSWORD').fill('hush')
  await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
  await isAccessibleInEveryLook(page)
  await expect(yaml).toHaveCount(0)
  const accepted = COMPOSE.replace(/^.*(privileged|docker.sock).*\n/gm, '')
  await page.getByRole('textbox', { name: /compose file/ }).fill(accepted)
  await expect(yaml).toContainText('image: docker.io/library/postgres:16')
  await expect(sign).toHaveAccessibleDescription('Give the values of its secrets first.')
  await page.getByLabel('POSTGRES_PASSWORD').fill('hush')
  await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
  await isAccessibleInEveryLook(page)
  await read.getByRole('button', { name: 'Edit it in the form' }).click()
  await expect(page.getByLabel('Value of variable 2')).toHaveValue('hush')
  await expect(yaml).toHaveText(
    'image: docker.io/library/postgres:16\nenv:\n  POSTGRES_DB: shop\nsecrets:\n  - POSTGRES_PASSWORD\nports:\n  - tcp: 5432\nvolumes:\n  - /var/lib/postgresql/data\n',
  )
  await isAccessibleInEveryLook(page)

  await page.getByRole('switch', { name: /Runs once to its end/ }).click()
  await page.getByRole('switch', { name: /offer to cancel the order/ }).click()
  await expect(yaml).toContainText('job: cancel')

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save' }).click()
  const file = await (await saved).path()
  expect(readFileSync(file, 'utf8')).toBe(await yaml.textContent())
  expect(readFileSync(file, 'utf8')).not.toContain('hush')

  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/deployments'))
  await sign.click()
  const body = (await sent).postDataJSON() as { text: string; app: string; sealed: string }
  expect(parseDeployText(body.text)).toMatchObject({ deployId: 999, appHash: keccak256(toBytes(body.app)) })
  expect(parseAppText(body.app)).toMatchObject({
    image: 'docker.io/library/postgres:16',
    secrets: ['POSTGRES_PASSWORD'],
    job: 'cancel',
  })
  const opened = await openRequest(provider.keys, fromBase64url(body.sealed), body.text)
  expect(parseEnvText(fromUtf8(opened))?.env).toEqual({ POSTGRES_PASSWORD: 'hush' })
  expect(JSON.stringify(body)).not.toContain('hush')

  await expect(page).toHaveURL(new RegExp(`/orderdeploy/${orderId}/$`))
  const card = page.getByRole('region', { name: 'Your own application' })
  const pull = { bytes: 52_400_000, totalBytes: 148_000_000, layers: 3, totalLayers: 14 }
  provider.report({ phase: 'Pulling' }, Date.now(), { pull })
  await expect(card).toContainText('53 MB of 148 MB fetched, 3 of 14 layers')
  provider.report({ phase: 'Pulling' }, Date.now(), { pull: { ...pull, bytes: pull.totalBytes } })
  await expect(card).toContainText('the machine checks and unpacks them, 3 of 14 layers done')
  const image = `docker.io/library/postgres:16@sha256:${'ab'.repeat(32)}`
  provider.report({ phase: 'Running' }, Date.now(), {
    image,
    ports: [{ protocol: 'tcp', port: 5432, outside: 31_007 }],
    notes: [
      { code: 'root', value: '' },
      { code: 'port', value: '9187/tcp' },
    ],
  })
  await expect(card.getByRole('button', { name: /^Copy .*:31007$/ })).toBeVisible()
  await expect(card).toContainText(image)
  await expect(card.getByRole('link', { name: 'Visit' })).toBeHidden()
  await expect(card).toContainText('The image names port 9187/tcp, which you did not ask for')
  await isAccessibleInEveryLook(page)

  provider.report({ phase: 'Failed', code: 'registry_unreachable', message: 'no route' })
  await expect(card).toContainText(
    'The registry of the image cannot be reached from the provider. Try again in a minute; nothing is lost.',
  )
  await card.getByRole('link', { name: 'Edit and try again' }).click()
  await expect(yaml).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Image' })).toHaveValue('docker.io/library/postgres:16')
  await expect(page.getByRole('switch', { name: /Runs once to its end/ })).toBeChecked()
  await expect(page.getByLabel('Value of variable 2'), 'a secret is typed anew').toHaveValue('')
  await page.getByLabel('Value of variable 2').fill('hush')
  await expect(yaml).toContainText('job: cancel')

  const exit = { code: 3, outOfMemory: false }
  provider.report({ phase: 'Finished', code: 'job_failed', message: 'it ended with code 3' }, Date.now(), { job: 'cancel', exit })
  await page.goto(`${market.url}/orderinfo?id=${orderId}`)
  await expect(page.getByText('The job has ended with code 3.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run again' })).toBeVisible()
  await isAccessibleInEveryLook(page)
  await page.getByRole('button', { name: /^Cancel, get .* back$/ }).click()
  await page.getByRole('button', { name: /^Cancel order, get .* back$/ }).click()
  await expect(page.getByText(`Order ${orderId} is cancelled`)).toBeVisible()
})

test('opens a template from a file and a link, and names its errors', async ({ start, page, market }) => {
  const orderId = await buy(start)
  const path = `${market.url}/orderdeploy/${orderId}/?app=own`
  await page.goto(path)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a file' }).click()
  await (await chooser).setFiles({
    name: 'app.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from('image: redis:7\nports:\n  - tcp: 6379\n'),
  })
  await expect(page.getByRole('textbox', { name: 'Image' })).toHaveValue('redis:7')
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => Object.assign(window, { copied: text }) },
    })
  })
  await page.getByRole('button', { name: 'Copy link' }).click()
  const link = await page.evaluate(() => (window as unknown as { copied: string }).copied)
  expect(link).toContain('?app=own#app=')
  await page.goto(`${market.url}/`)
  await page.goto(link)
  await expect(page.getByTestId('app-yaml')).toHaveText('image: docker.io/library/redis:7\nports:\n  - tcp: 6379\n')
  const wrong = Buffer.from('image: redis\nprivileged: true\n').toString('base64url')
  await page.goto(`${market.url}/`)
  await page.goto(`${path}#app=${wrong}`)
  await expect(page.getByRole('region', { name: 'Read as' })).toContainText('Line 2 privileged is not supported here.')
})

test('fills in the form by keyboard on a phone', async ({ start, page, market }) => {
  const orderId = await buy(start)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${market.url}/orderdeploy/${orderId}/?app=own`)
  await page.getByRole('textbox', { name: 'Image' }).focus()
  await page.keyboard.type('redis:7')
  const add = page.getByRole('button', { name: 'Port', exact: true })
  await add.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Port 1', exact: true }).focus()
  await page.keyboard.type('0')
  await expect(page.getByText('is not written in a form that can be read.')).toBeVisible()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('8080')
  await expect(page.getByTestId('app-yaml')).toContainText('http: 8080')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
