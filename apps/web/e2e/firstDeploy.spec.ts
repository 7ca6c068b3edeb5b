import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from '@rackfair/sdk'
import { startMarket } from '@rackfair/testkit'
import { test as base, expect, whyNoAgent } from './agentTest.ts'
import { buy, type Start } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'

const IMAGES = fileURLToPath(new URL('../../../.rackfair/images', import.meta.url))

/**
 * Replaces mmdebstrap, which would fetch a hundred packages: prints its output when the test allows it, then provides the image built for
 * the tests.
 */
function holdBuilds(folder: string) {
  const program = join(folder, 'bin', 'mmdebstrap')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(
    program,
    `#!/bin/sh
for word; do case $word in *.tar) tar=$word;; esac; done
tail -n +1 -F '${folder}/lines' >&2 2>/dev/null &
until [ -e '${folder}/finished' ]; do sleep 0.1; done
kill $!
cp '${IMAGES}/'"$(basename "\${tar%.part-*}")" "$tar"
`,
  )
  chmodSync(program, 0o755)
  writeFileSync(join(folder, 'lines'), '')
  return {
    programs: join(folder, 'bin'),
    images: join(folder, 'images'),
    say: (line: string) => writeFileSync(join(folder, 'lines'), `I: ${line}\n`, { flag: 'a' }),
    finish: () => writeFileSync(join(folder, 'finished'), ''),
  }
}

/** A separate market, whose machine has no image yet. */
const test = base.extend<object, { builds: ReturnType<typeof holdBuilds> }>({
  builds: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'rackfair-first-'))
      const path = process.env.PATH
      const builds = holdBuilds(folder)
      process.env.PATH = `${builds.programs}${delimiter}${path}`
      await use(builds)
      process.env.PATH = path
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  market: [
    async ({ builds }, use) => {
      const market = await startMarket({ agent: true, images: builds.images })
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

test.skip(whyNoAgent !== undefined, whyNoAgent)

test('shows the image build of a first deploy line by line, with elapsed and usual seconds, until it runs', {
  tag: '@long',
}, async ({ page, market, wallet, builds }) => {
  test.setTimeout(400_000)
  const api = createApi({ baseUrl: market.url })
  const provider = (await api.rack()).slots[0]?.cp ?? ''
  await expect.poll(async () => (await api.rack()).slots[0]?.state, { timeout: 60_000 }).toBe('idle')
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
  const start = { ...{ page, market, wallet, api, node: 1 }, provider: { address: provider } } as unknown as Start
  const id = await buy(start)
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  await page.getByRole('button', { name: 'Deploy nginx' }).click()
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  const main = page.getByRole('main')
  await expect(main.getByText(/building localhost\/rackfair\/nginx\S* from Debian packages/)).toBeVisible({ timeout: 60_000 })
  builds.say('downloading packages with apt...')
  await expect(main.getByText('downloading packages with apt...')).toBeVisible()
  builds.say('extracting archives...')
  const line = main.getByText('extracting archives...')
  await expect(line).toContainText(/\d+s so far, one to three minutes is usual/)
  const seconds = async () => {
    const [, minutes = '0', rest] = /(?:(\d+)m )?(\d+)s so far/.exec((await line.textContent()) ?? '') ?? []
    return Number(minutes) * 60 + Number(rest)
  }
  const before = await seconds()
  await expect.poll(seconds).toBeGreaterThan(before)
  await expect(main.getByText('about 2 s')).toBeHidden()
  await isAccessibleInEveryLook(page)
  builds.finish()
  const steps = page.getByRole('list', { name: 'Progress of the deployment' })
  await expect(steps).toContainText('after your signature', { timeout: 120_000 })
  await expect(line).toBeHidden()
  expect(readdirSync(builds.images).some((name) => /^nginx-[0-9a-f]{16}\.tar$/.test(name))).toBe(true)
  // The market's terminal prints one line when a build starts and one when it is done, and none in between.
  await expect.poll(market.output).toMatch(/the image is ready for its first deploy application=\w+ seconds=\d+/)
  expect(market.output()).toMatch(/building an image in the background application=\w+ lines=\S+\.log/)
  expect(market.output()).not.toContain('extracting archives')
})
