import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const fromPlatform = createRequire(new URL('../../apps/platform/package.json', import.meta.url))
const { serve } = await import(pathToFileURL(fromPlatform.resolve('@hono/node-server')).href)
const { Hono } = await import(pathToFileURL(fromPlatform.resolve('hono')).href)

/** The minimal work of a server of the same kind. */
const app = new Hono()
app.get('*', (call: { text(text: string): Response }) => call.text('ok'))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.argv.at(-1)) })
