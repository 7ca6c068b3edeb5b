import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { resource } from '../../foundation/resources.ts'

const require = createRequire(import.meta.url)
const own = (name: string) => resource(`browser/${name}`, () => fileURLToPath(new URL(`./browser/${name}`, import.meta.url)))
const beside = (name: string, path: string) =>
  resource(`browser${path}`, () => require.resolve(name).replace(/\/lib\/[^/]+$/, path))

const JS = 'text/javascript; charset=utf-8'
const FILES: Readonly<Record<string, { type: string; path: () => string }>> = {
  '/.rackfair/enter.js': { type: JS, path: () => own('enter.js') },
  '/.rackfair/session.js': { type: JS, path: () => own('session.js') },
  '/.rackfair/sign-in.js': { type: JS, path: () => own('signIn.js') },
  '/.rackfair/open.js': { type: JS, path: () => own('open.js') },
  '/.rackfair/wait.js': { type: JS, path: () => own('wait.js') },
  '/.rackfair/terminal.js': { type: JS, path: () => own('terminal.js') },
  '/.rackfair/xterm.js': { type: JS, path: () => beside('@xterm/xterm', '/lib/xterm.mjs') },
  '/.rackfair/addon-fit.js': { type: JS, path: () => beside('@xterm/addon-fit', '/lib/addon-fit.mjs') },
  '/.rackfair/xterm.css': { type: 'text/css; charset=utf-8', path: () => beside('@xterm/xterm', '/css/xterm.css') },
}

/** Serves a file of the gateway's own pages; false for any other path. */
export function sendAsset(path: string, response: ServerResponse): boolean {
  const file = FILES[path]
  if (!file) return false
  const body = readFileSync(file.path())
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
  return true
}
