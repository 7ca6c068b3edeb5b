import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID, isMarketChain } from '@rackfair/rules/chains'
import { z } from 'zod'
import { resource } from '../resources.ts'
import type { Settings } from './Settings.ts'

export const USAGE = `usage: node apps/platform/src/main.ts --rpc <url> --deployment <file> [options]

  --port <n>             where to listen (3000); 0 takes a free port
  --host <address>       127.0.0.1
  --rpc <url>            the chain; --ws <url> for block announcements. --rpc-file <file> and --ws-file <file>
                         hold one with a key, so that it stands in no list of processes
  --public-rpc-url <url> where browsers reach the chain (as --rpc, but not as what a file holds)
  --deployment <file>    addresses of the contracts
  --data <folder>        the SQLite file (.rackfair/platform); --database-url <url> for PostgreSQL,
                         or --database-url-file <file>, so that its password stands in no list of processes
  --web <folder>         the built web app
  --presets <folder>     the catalogue of applications
  --role <all|api|indexer>
  --public-url <origin>  may be repeated: where people open the site
  --relay-url <url>      for several processes: where browsers reach this one alone; again for each of the others
  --min-agent-version <x.y.z>  agents before it are told to update
  --smtp <file>          the mail server that alerts go through, and who they are from
  --faucet-key-env <name>, --site <file>, --poll-ms <n>, --trust-proxies <n>, --rate-scale <n>`

/** An invalid configuration. The message is the single line that the operator sees. */
export class SettingsError extends Error {}

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lowerCaseAddress)
const deploymentFile = z
  .object({
    chainId: z.number().int(),
    fromBlock: z.number().int().min(0).optional(),
    block: z.number().int().min(0).optional(),
    access: address,
    registry: address,
    pledge: address,
    market: address,
    credit: address,
    monitors: address,
    purseFactory: address.optional(),
  })
  .transform(({ fromBlock, block, ...rest }) => ({ ...rest, fromBlock: fromBlock ?? block ?? 0 }))

const url = z.string().regex(/^https?:\/\/\S+$/)
const siteFile = z.object({
  explorerUrl: url.nullable().default(null),
  creditLink: url.nullable().default(null),
  walletConnectProjectId: z.string().nullable().default(null),
  walletConnectRelayUrl: z
    .string()
    .regex(/^wss?:\/\/\S+$/)
    .refine((text) => URL.canParse(text))
    .default('wss://relay.walletconnect.org'),
  mainnetRpcUrl: url.nullable().default(null),
  contact: z.string().nullable().default(null),
  social: z.array(z.object({ name: z.string(), url })).default([]),
})

/** It holds the mail server's password: a file, so that it does not appear in a process list. */
const smtpFile = z.strictObject({ url: z.string().regex(/^smtps?:\/\/\S+$/), from: z.string().min(3).max(200) })

export function parseSettings(argv: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const text = { type: 'string' } as const
  const { values } = readArguments(() =>
    parseArgs({
      args: [...argv],
      options: {
        role: text,
        host: text,
        port: text,
        rpc: text,
        'rpc-file': text,
        ws: text,
        'ws-file': text,
        'public-rpc-url': text,
        deployment: text,
        data: text,
        'database-url': text,
        'database-url-file': text,
        'min-agent-version': text,
        web: text,
        presets: text,
        site: text,
        smtp: text,
        'public-url': { type: 'string', multiple: true },
        'relay-url': { type: 'string', multiple: true },
        'faucet-key-env': text,
        'poll-ms': text,
        'trust-proxies': text,
        'rate-scale': text,
      },
    }),
  )
  /** The option, or the single line of the file in `--NAME-file`, which no message reveals. */
  const given = (name: 'rpc' | 'ws' | 'database-url'): string | undefined => {
    const file = values[`${name}-file`]
    if (file === undefined) return values[name]
    if (values[name] !== undefined) fail(`--${name} and --${name}-file name the same: leave one out`)
    return readSecret(file)
  }
  const rpcUrl = given('rpc') ?? fail('--rpc is missing')
  if (values['rpc-file'] !== undefined && !isHttp(rpcUrl)) fail('the file of --rpc-file holds no http address')
  const publicRpcUrl = values['public-rpc-url'] ?? values.rpc ?? fail('--public-rpc-url is missing: browsers are told no secret')
  const deployment = readJson(values.deployment ?? fail('--deployment is missing'), deploymentFile)
  if (!isMarketChain(deployment.chainId)) fail(`the market does not run on chain ${deployment.chainId}`)
  const role = values.role ?? 'all'
  if (role !== 'all' && role !== 'api' && role !== 'indexer') fail(`--role is all, api or indexer, not ${role}`)
  const port = whole('port', values.port ?? '3000', 65_535)
  const databaseUrl = given('database-url') ?? env.DATABASE_URL
  const minAgentVersion = values['min-agent-version']
  if (minAgentVersion !== undefined && !/^\d{1,6}(\.\d{1,6}){2}$/.test(minAgentVersion))
    fail(`--min-agent-version is three numbers such as 1.2.3, not ${minAgentVersion}`)
  const webFolder = values.web
  if (webFolder !== undefined && !existsSync(webFolder)) fail(`the web app is not built: ${webFolder} does not exist`)
  const local = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  return {
    role: role as Settings['role'],
    host: values.host ?? '127.0.0.1',
    port,
    rpcUrl: checkUrl('rpc', rpcUrl),
    publicRpcUrl: checkUrl('public-rpc-url', publicRpcUrl),
    wsUrl: given('ws') ?? (deployment.chainId === DEVELOPMENT_CHAIN_ID ? rpcUrl.replace(/^http/, 'ws') : undefined),
    pollMs: whole('poll-ms', values['poll-ms'] ?? '200', 60_000),
    dataFolder: values.data ?? '.rackfair/platform',
    databaseUrl: databaseUrl === '' ? undefined : databaseUrl,
    webFolder,
    presetsFolder: values.presets ?? resource('presets', () => new URL('../../../../presets/', import.meta.url)),
    faucetKey: faucetKey(values['faucet-key-env'], env, deployment.chainId),
    origins: [...(values['public-url'] ?? []).map((origin) => new URL(checkUrl('public-url', origin)).origin), ...local],
    relayUrls: (values['relay-url'] ?? []).map((address) => checkUrl('relay-url', address).replace(/\/$/, '')),
    minAgentVersion,
    trustedProxies: whole('trust-proxies', values['trust-proxies'] ?? '0', 10),
    rateScale: whole('rate-scale', values['rate-scale'] ?? '1', 1_000_000),
    deployment,
    smtp: values.smtp === undefined ? undefined : readJson(values.smtp, smtpFile),
    site: values.site === undefined ? siteFile.parse({}) : readJson(values.site, siteFile),
  }
}

function faucetKey(name: string | undefined, env: NodeJS.ProcessEnv, chainId: number): `0x${string}` | undefined {
  if (name === undefined) return undefined
  if (chainId !== DEVELOPMENT_CHAIN_ID) fail(`a faucet exists on chain ${DEVELOPMENT_CHAIN_ID} only`)
  const key = env[name]
  if (!key || !/^0x[0-9a-fA-F]{64}$/.test(key)) fail(`the environment variable ${name} holds no private key`)
  return key as `0x${string}`
}

function readArguments<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

/** The single line of a file that holds a secret. No message contains any part of it. */
function readSecret(file: string): string {
  let text = ''
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    return fail(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return text === '' ? fail(`${file} is empty`) : text
}

function readJson<Shape extends z.ZodType>(file: string, shape: Shape): z.output<Shape> {
  let text: unknown
  try {
    text = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return fail(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const result = shape.safeParse(text)
  if (!result.success) {
    const issue = result.error.issues[0]
    return fail(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  return result.data
}

function whole(name: string, text: string, most: number): number {
  if (!/^\d{1,8}$/.test(text) || Number(text) > most) fail(`--${name} is a whole number up to ${most}, not ${text}`)
  return Number(text)
}

function checkUrl(name: string, text: string): string {
  return isHttp(text) ? text : fail(`--${name} is not an http address: ${text}`)
}

const isHttp = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

function fail(message: string): never {
  throw new SettingsError(message)
}
