import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { HttpOptions } from './http/serveHttp.ts'

/** The environment's name of the key that clients over HTTP present. */
export const KEY_NAME = 'RACKFAIR_MCP_KEY'
const MIN_KEY_LENGTH = 32

export const USAGE = `Usage: rackfair-mcp                           over stdin and stdout, as a client starts it
       rackfair-mcp --http [HOST:]PORT          over streamable HTTP, for clients with its key; HOST is 127.0.0.1
       rackfair-mcp --http PORT --name NAME     known by that name, too, such as that of a proxy with TLS; may be repeated
${KEY_NAME}, of ${MIN_KEY_LENGTH} characters or more, is the key; without it one is made and printed.`

type Way = 'stdio' | 'help' | (Omit<HttpOptions, 'createServer'> & { isKeyMade: boolean })

/** How it is to be reached; undefined if that cannot be read. */
export function wayOf(args: readonly string[], env: NodeJS.ProcessEnv): Way | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' }, http: { type: 'string' }, name: { type: 'string', multiple: true } },
    })
    if (values.help) return 'help'
    if (values.http === undefined) return values.name === undefined ? 'stdio' : undefined
    const [, ipv6, name, digits] = /^(?:(?:\[([\da-f:]+)\]|([^:]+)):)?(\d{1,5})$/i.exec(values.http) ?? []
    const given = env[KEY_NAME]?.trim()
    if (digits === undefined || Number(digits) > 65_535 || (given !== undefined && !isKey(given))) return undefined
    const key = given ?? randomBytes(32).toString('base64url')
    return { host: ipv6 ?? name ?? '127.0.0.1', port: Number(digits), key, names: values.name, isKeyMade: given === undefined }
  } catch {
    return undefined
  }
}

const isKey = (text: string) => text.length >= MIN_KEY_LENGTH && /^[\x21-\x7e]+$/.test(text)
