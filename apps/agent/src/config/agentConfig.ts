import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DOOR_PORTS, MAX_SPARES } from '@rackfair/protocol/door'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { AppError } from '@rackfair/rules/errors/AppError'
import { parseCredit } from '@rackfair/rules/money'
import { REGION } from '@rackfair/rules/node/place'
import { z } from 'zod'
import { hideSecretsOf } from '../foundation/hiddenSecrets.ts'
import { kubernetesSettings } from '../runtime/kubernetes/kubernetesSettings.ts'
import { ownImages } from '../runtime/ownImageRules.ts'
import { priceRules } from './priceRules.ts'
import { SAMPLE_REFUSED, sampleHardware } from './sampleHardware.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lowerCaseAddress)
const port = z.number().int().min(1).max(65_535)

/** Each holds a connection, and is told everything that changes. */
const MAX_PLATFORMS = 8
/** Connections to an edge that wait for visitors. */
export const DEFAULT_SPARES = 8
export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
/** The longest path of a UNIX socket that Linux connects to, in bytes. */
const MAX_SOCKET_PATH = 107

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const isCountry = (text: string): boolean => REGION.test(text) && countries.of(text) !== undefined

/** `config.json` of an agent. It contains no secrets: keys are in separate files. */
const fields = z.strictObject({
  /** Six hex digits that tell this agent's containers and networks from another's. */
  instance: z.string().regex(/^[0-9a-f]{6}$/),
  chainId: z.number().int().min(1),
  rpcUrl: z.string().url(),
  /** Instead of `rpcUrl`: a file that holds it, where the address contains a key. */
  rpcFile: z.string().min(1).optional(),
  access: address,
  /** The factory of purses, whose standing orders this agent renews; where it is missing, it renews none. */
  purses: address.optional(),
  provider: address,
  /** File of the hot key, mode 0600. */
  operatorKeyFile: z.string().min(1),
  /** Each offers this machine by itself: renters reach it through any of them, and one that is away stops nobody. */
  platforms: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .max(MAX_PLATFORMS)
    .refine((urls) => new Set(urls.map((url) => new URL(url).origin)).size === urls.length, 'names a platform twice'),
  gateway: z.strictObject({
    host: z.string().min(1),
    port,
    /** Where buyers reach the gateway, as registered on chain. */
    publicHost: z.string().min(1).max(253),
    /** If the wildcard name `*.<domain>` points here, every order has its own origin. */
    domain: z.string().max(253).optional(),
    /** Otherwise every order has its own port from this range. Without either, only public applications can run here. */
    portRange: z.tuple([port, port]).nullable().optional(),
    /** Ports of this machine at which renters reach TCP and UDP ports of their applications. None if omitted. */
    appPorts: z.tuple([port, port]).nullable().optional(),
    /** The one port at which all renters reach their orders by SSH. If omitted, only through their workspace. */
    sshPort: port.nullable().optional(),
    /**
     * Edges that hand visitors to this machine, which then needs no open port. `publicHost` is the address of the first, and `port` the raw
     * port there.
     */
    edges: z
      .array(
        z.strictObject({
          host: z.string().min(1).max(253),
          /** Of its control connections. */
          port: port.default(DOOR_PORTS.control),
          /** SHA-256 of its certificate, as `rackfair-edge fingerprint` prints it. */
          fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
          /** Connections that wait for visitors, so that these do not wait for the connection. */
          spares: z.number().int().min(0).max(MAX_SPARES).default(DEFAULT_SPARES),
        }),
      )
      .max(4)
      .optional(),
    /** Gives the names that lead here through edges a certificate each, of an authority whose terms the provider has agreed to. */
    acme: z
      .strictObject({
        directory: z.url({ protocol: /^https$/ }).default(LETS_ENCRYPT),
        termsOfServiceAgreed: z.literal(true),
      })
      .optional(),
    /** Of an authority of this machine instead, for names below `localhost`: the file of its certificate, made at the first start. */
    localAuthority: z.string().min(1).optional(),
    /** The port at which edges have names, if another than 443. */
    namesPort: port.optional(),
    /**
     * Names below `domain`, whose records lead to this machine itself, are served here with TLS: at `tls`, and `plain` leads there. Nothing
     * else may answer at these ports of the domain's addresses.
     */
    names: z.strictObject({ tls: port.default(443), plain: port.nullable().default(80) }).optional(),
    /** The gateway is behind TLS: its links begin with https. */
    tls: z.boolean().default(false),
  }),
  /** Where Prometheus reads `/metrics`; disabled if omitted. Anyone who reaches it sees what this machine earns and runs. */
  metrics: z.strictObject({ host: z.string().min(1).default('127.0.0.1'), port }).optional(),
  dockerSocket: z
    .string()
    .refine(
      (path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH,
      `has more than ${MAX_SOCKET_PATH} characters, which Linux takes for no socket`,
    )
    .optional(),
  /** Orders run in this cluster instead of on this machine. */
  kubernetes: kubernetesSettings.optional(),
  presetsFolder: z.string().optional(),
  /** Where built images are kept, both as tar files and imported, if several agents share them (default: beside the state). */
  imageCache: z.string().optional(),
  /** Names of applications whose images are built in the background at startup; the others are built on their first deploy. */
  prepareImages: z.array(z.string().max(64)).max(64).default([]),
  /** A local market stops what it started; a provider's machine keeps its tenants running through an update of the agent. */
  stopWorkloadsOnExit: z.boolean().default(false),
  /** DNS resolvers for tenants; by default public resolvers, or this machine's own if those do not answer. */
  resolvers: z.array(z.ipv4()).min(1).max(3).optional(),
  /**
   * Sells more storage than the disk has, trusting that tenants do not fill it; otherwise an order whose full disk does not fit is refused.
   */
  overcommitDisk: z.boolean().default(false),
  /** Settings for renters' own applications. */
  ownImages: ownImages.prefault({}),
  /** Sells more processors, memory, disk and GPUs than the machine has: tenants then share what each of them bought. */
  oversell: z.boolean().default(false),
  /** The country where this machine stands, by ISO 3166-1. Buyers see it as what the provider says. */
  region: z.string().refine(isCountry, 'is not a country of two capital letters, such as DE').optional(),
  /** Simulated hardware, as used by `npm start -- --sample`; every buyer is told. */
  sampleHardware: sampleHardware.optional(),
  /** How prices of unsold nodes follow the market, by the command `prices`. */
  priceRules: priceRules.optional(),
  /** Where the command `payout` sends what was earned. */
  payout: z
    .strictObject({
      to: address.refine((text) => !/^0x0+$/.test(text), 'the zero address, which nobody holds'),
      /** Minimum to withdraw, in Credit, as text. */
      above: z.string().refine((text) => (parseCredit(text) ?? 0n) > 0n, 'an amount above 0, as text'),
      everyHours: z.number().int().min(1).max(8760).default(24),
    })
    .optional(),
  /** How long the data of a finished order is kept, in case a reorganisation undoes its end. */
  wipeAfterSeconds: z.number().int().min(0).default(60),
})
const overlaps = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] <= b[1] && b[0] <= a[1]

export const agentConfig = fields
  .refine(({ dockerSocket, kubernetes }) => !dockerSocket || !kubernetes, {
    path: ['kubernetes'],
    message: 'is set beside dockerSocket: orders run in only one of them',
  })
  .refine(({ sampleHardware, chainId }) => !sampleHardware || chainId === DEVELOPMENT_CHAIN_ID, {
    path: ['sampleHardware'],
    message: SAMPLE_REFUSED,
  })
  .refine(({ gateway: { localAuthority }, chainId }) => !localAuthority || chainId === DEVELOPMENT_CHAIN_ID, {
    path: ['gateway', 'localAuthority'],
    message: 'is for a market on this very machine: no visitor elsewhere trusts it',
  })
  .refine(({ sampleHardware, kubernetes }) => !sampleHardware || !kubernetes, {
    path: ['sampleHardware'],
    message: 'is set beside kubernetes: a cluster offers what it has',
  })
  .refine(({ gateway: { port, portRange } }) => !portRange || port < portRange[0] || portRange[1] < port, {
    path: ['gateway', 'portRange'],
    message: "contains the gateway's own port",
  })
  .refine(
    ({ gateway: { names, domain, acme, localAuthority } }) => !names || (domain !== undefined && (acme ?? localAuthority)),
    {
      path: ['gateway', 'names'],
      message: 'needs domain, and acme for certificates',
    },
  )
  .refine(
    ({ gateway: { names, port, portRange, appPorts, sshPort } }) =>
      ![names?.tls, names?.plain].some(
        (one) =>
          one && (one === port || one === sshPort || [portRange, appPorts].some((range) => range && overlaps(range, [one, one]))),
      ),
    { path: ['gateway', 'names'], message: 'has a port of the gateway, of its portRange, of its appPorts or of SSH' },
  )
  // Browser storage outlives a port's tenant: a port must never serve a renter's own server and later a protected page.
  .refine(
    ({ gateway: { port, portRange, appPorts } }) =>
      !appPorts || (!overlaps(appPorts, [port, port]) && (!portRange || !overlaps(appPorts, portRange))),
    { path: ['gateway', 'appPorts'], message: 'has ports of the gateway or of its portRange' },
  )
  // Whoever answers at these ports gets a certificate for this host, and with it the cookies of its other ports.
  .refine(({ gateway: { appPorts } }) => !appPorts || ![80, 443].some((port) => overlaps(appPorts, [port, port])), {
    path: ['gateway', 'appPorts'],
    message: 'has port 80 or 443, with which a renter could get a certificate for this host',
  })
  .refine(
    ({ gateway: { port, portRange, appPorts, sshPort } }) =>
      !sshPort || ![[port, port] as const, portRange, appPorts].some((range) => range && overlaps(range, [sshPort, sshPort])),
    { path: ['gateway', 'sshPort'], message: 'is a port of the gateway, of its portRange or of its appPorts' },
  )
export type AgentConfig = z.infer<typeof agentConfig>

/** Whether every order has its own origin, which applications require that only their owner may open. */
export const hasOwnOrigins = ({ domain, portRange, edges, acme, localAuthority }: AgentConfig['gateway']): boolean =>
  Boolean(domain ?? portRange ?? (edges && (acme ?? localAuthority)))

/** The origin of an order's name with TLS of this agent, at edges or at this machine itself; undefined without one. */
export function originOfName(gateway: AgentConfig['gateway'], orderId: bigint): string | undefined {
  const { edges, names, acme, localAuthority, domain, namesPort = names?.tls ?? 443 } = gateway
  if (!(edges ?? names) || !(acme ?? localAuthority) || !domain) return undefined
  return `https://o-${orderId}.${domain}${namesPort === 443 ? '' : `:${namesPort}`}`
}

/** What a person may write before `init`: any part of it, `init` adds the rest. */
export const configDraft = fields
  .extend({
    gateway: fields.shape.gateway.extend({ tls: z.boolean() }).partial(),
    prepareImages: z.array(z.string().max(64)).max(64),
    stopWorkloadsOnExit: z.boolean(),
    overcommitDisk: z.boolean(),
    oversell: z.boolean(),
    ownImages,
    wipeAfterSeconds: z.number().int().min(0),
  })
  .partial()

export function loadConfig(file: string): AgentConfig {
  const config = readConfigFile(file, agentConfig)
  hideSecretsOf(config.rpcUrl)
  return config
}

/** @throws AppError `bad_request` that contains nothing of the file. */
export function readRpcFile(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new AppError('bad_request', `${file} cannot be read, which should hold the address of the chain`, { cause })
  }
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new AppError('bad_request', `${file} holds no http address`)
  hideSecretsOf(text)
  return text
}

/** Throws `bad_request` with the field that is wrong. */
export function readConfigFile<T>(file: string, schema: z.ZodType<T>): T {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AppError('bad_request', `${file} cannot be read; run: rackfair-agent init --config ${file}`, { cause })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad_request', `${file} is not JSON`, { cause })
  }
  const { rpcFile, rpcUrl } = (json ?? {}) as { rpcFile?: unknown; rpcUrl?: unknown }
  if (typeof rpcFile === 'string') {
    if (rpcUrl !== undefined) throw new AppError('bad_request', `${file}: rpcUrl and rpcFile name the same: leave one out`)
    json = { ...(json as object), rpcUrl: readRpcFile(rpcFile) }
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new AppError('bad_request', `${file}: ${issue?.path.join('.') || 'root'}: ${issue?.message}`)
}

export function saveConfig(file: string, config: AgentConfig): void {
  mkdirSync(dirname(file), { recursive: true })
  const { rpcUrl, ...rest } = agentConfig.parse(config)
  const written = rest.rpcFile === undefined ? { ...rest, rpcUrl } : rest
  writeFileSync(`${file}.new`, `${JSON.stringify(written, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
