import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, DEVELOPMENT_CHAIN_ID, lowerCaseAddress, parseCredit } from '@rackfair/core'
import { z } from 'zod'
import { priceRules } from '../commands/prices/priceRules.ts'
import { kubernetesSettings } from './kubernetesSettings.ts'
import { SAMPLE_REFUSED, sampleHardware } from './sampleHardware.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lowerCaseAddress)
const port = z.number().int().min(1).max(65_535)

const ownImages = z.strictObject({
  /** Whether renters may bring images of their own. */
  offered: z.boolean().default(true),
  /** The largest image that is taken, in GB as it travels and unpacked. */
  maxImageGb: z.number().int().min(1).max(1000).default(40),
  /** What is kept of images that nobody runs, in GB. */
  cacheGb: z.number().int().min(0).max(100_000).default(100),
  /** The only registries that are asked; without, every one on the internet. */
  registries: z.array(z.string().min(1).max(253)).min(1).max(100).optional(),
  /** Registries of the provider's own network, asked without TLS. */
  localRegistries: z.array(z.string().min(1).max(253)).max(20).default([]),
})
export type OwnImages = z.infer<typeof ownImages>
export const OWN_IMAGES: OwnImages = ownImages.parse({})

/** `config.json` of an agent. Nothing in it is secret: keys lie in files of their own. */
const fields = z.strictObject({
  /** Six hex digits that tell this agent's containers and networks from another's. */
  instance: z.string().regex(/^[0-9a-f]{6}$/),
  chainId: z.number().int().min(1),
  rpcUrl: z.string().url(),
  access: address,
  provider: address,
  /** File of the hot key, mode 0600. */
  operatorKeyFile: z.string().min(1),
  platformUrl: z.string().url(),
  gateway: z.strictObject({
    host: z.string().min(1),
    port,
    /** Where buyers reach the gateway, as registered on chain. */
    publicHost: z.string().min(1).max(253),
    /** With a wildcard name `*.<domain>` that leads here, every order has an origin of its own. */
    domain: z.string().max(253).optional(),
    /** Else every order has a port of its own out of this range. Without both, only public applications can run here. */
    portRange: z.tuple([port, port]).nullable().optional(),
    /** Ports of this machine at which renters reach TCP and UDP ports of their applications. Without, there are none. */
    appPorts: z.tuple([port, port]).nullable().optional(),
    /** Where renters reach their orders by SSH, all at one port. Without, only through their workspace. */
    sshPort: port.nullable().optional(),
    /** The link of a gateway behind TLS begins with https. */
    tls: z.boolean().default(false),
  }),
  /** Where Prometheus reads `/metrics`; without, nowhere. Whoever reaches it sees what this machine earns and runs. */
  metrics: z.strictObject({ host: z.string().min(1).default('127.0.0.1'), port }).optional(),
  dockerSocket: z.string().optional(),
  /** Orders run in this cluster instead of on this machine. */
  kubernetes: kubernetesSettings.optional(),
  presetsFolder: z.string().optional(),
  /** Where built images are kept, as tar files and imported, when several agents share them (default: beside the state). */
  imageCache: z.string().optional(),
  /** Applications whose images are built in the background from the start on, by name; the others wait for their first deploy. */
  prepareImages: z.array(z.string().max(64)).max(64).default([]),
  /** A local market stops what it started; a provider's machine keeps its tenants running through an update of the agent. */
  stopWorkloadsOnExit: z.boolean().default(false),
  /** What tenants ask for names; without, public resolvers, or this machine's own where those do not answer. */
  resolvers: z.array(z.ipv4()).min(1).max(3).optional(),
  /** Sells more storage than the disk has, trusting that tenants do not fill it; else an order without room for all of its own is refused. */
  overcommitDisk: z.boolean().default(false),
  /** Applications of the renters' own. */
  ownImages: ownImages.prefault({}),
  /** Sells more processors, memory, disk and GPUs than the machine has: tenants then share what each of them bought. */
  oversell: z.boolean().default(false),
  /** Hardware that is only pretended, as `npm start -- --sample` has it; every buyer is told. */
  sampleHardware: sampleHardware.optional(),
  /** How prices of unsold nodes follow the market, by the command `prices`. */
  priceRules: priceRules.optional(),
  /** Where the command `payout` sends what was earned. */
  payout: z
    .strictObject({
      to: address.refine((text) => !/^0x0+$/.test(text), 'the zero address, which nobody holds'),
      /** Credit, as text: less than this stays where it is. */
      above: z.string().refine((text) => (parseCredit(text) ?? 0n) > 0n, 'an amount above 0, as text'),
      everyHours: z.number().int().min(1).max(8760).default(24),
    })
    .optional(),
  /** How long the data of a finished order is kept, in case the chain takes its end back. */
  wipeAfterSeconds: z.number().int().min(0).default(60),
})
const overlaps = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] <= b[1] && b[0] <= a[1]

export const agentConfig = fields
  .refine(({ dockerSocket, kubernetes }) => !dockerSocket || !kubernetes, {
    path: ['kubernetes'],
    message: 'is there beside dockerSocket: orders run in one of them',
  })
  .refine(({ sampleHardware, chainId }) => !sampleHardware || chainId === DEVELOPMENT_CHAIN_ID, {
    path: ['sampleHardware'],
    message: SAMPLE_REFUSED,
  })
  .refine(({ sampleHardware, kubernetes }) => !sampleHardware || !kubernetes, {
    path: ['sampleHardware'],
    message: 'is there beside kubernetes: a cluster offers what it has',
  })
  .refine(({ gateway: { port, portRange } }) => !portRange || port < portRange[0] || portRange[1] < port, {
    path: ['gateway', 'portRange'],
    message: "contains the gateway's own port",
  })
  // What a browser keeps of a port is there for whoever has it next: a renter's own server may not come before a protected page.
  .refine(
    ({ gateway: { port, portRange, appPorts } }) =>
      !appPorts || (!overlaps(appPorts, [port, port]) && (!portRange || !overlaps(appPorts, portRange))),
    { path: ['gateway', 'appPorts'], message: 'has ports of the gateway or of its portRange' },
  )
  .refine(
    ({ gateway: { port, portRange, appPorts, sshPort } }) =>
      !sshPort || ![[port, port] as const, portRange, appPorts].some((range) => range && overlaps(range, [sshPort, sshPort])),
    { path: ['gateway', 'sshPort'], message: 'is a port of the gateway, of its portRange or of its appPorts' },
  )
export type AgentConfig = z.infer<typeof agentConfig>

/** Whether every order has an origin of its own, as applications need that only their owner may open. */
export const hasOwnOrigins = ({ domain, portRange }: AgentConfig['gateway']): boolean => Boolean(domain ?? portRange)

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

export const loadConfig = (file: string): AgentConfig => readConfigFile(file, agentConfig)

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
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new AppError('bad_request', `${file}: ${issue?.path.join('.') || 'root'}: ${issue?.message}`)
}

export function saveConfig(file: string, config: AgentConfig): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(agentConfig.parse(config), null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const newInstance = (): string => randomBytes(3).toString('hex')
