import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './build/bundle.ts'

/**
 * Writes a folder that runs a market in containers: `deploy/containers` with the platform as one bundle, the web app, the catalogue and the
 * Node that all of it was tested with. It does not depend on the checkout.
 */
const USAGE = `Usage: node scripts/packPlatform.ts --web FOLDER --to FOLDER

Packs the platform and the built web app for compose.yaml. Settings and secrets that are in the folder stay as they are.`

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { web: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean' } } })
if (values.web === undefined || values.to === undefined || values.help) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}
if (!existsSync(join(values.web, 'index.html'))) {
  console.error(`${values.web} holds no web app: build it first, as the guide for operators says.`)
  process.exit(1)
}
const to = resolve(values.to)
mkdirSync(to, { recursive: true })
cpSync(join(root, 'deploy/containers'), to, { recursive: true })
const app = join(to, 'platform/app')
await bundle('platform', join(app, 'dist'))
cpSync(resolve(values.web), join(app, 'web'), { recursive: true })
cpSync(process.execPath, join(app, 'node'), { dereference: true })
chmodSync(join(app, 'node'), 0o755)
for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(app, file))
console.log(to)
