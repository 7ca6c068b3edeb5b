import { OpenAPIHono } from '@hono/zod-openapi'
import { hardwareRecord } from '@rackfair/hardware/record'
import {
  faucetAnswer,
  faucetRequest,
  newsletterRequest,
  nonceAnswer,
  okAnswer,
  sessionAnswer,
  verifyRequest,
} from '@rackfair/protocol/account'
import { alertRequest } from '@rackfair/protocol/alertRequests'
import { alert, alertCreated, alertsAnswer } from '@rackfair/protocol/alerts'
import { configAnswer } from '@rackfair/protocol/config'
import { deploymentRequest } from '@rackfair/protocol/deploymentRequests'
import { deploymentShape, deploymentStep } from '@rackfair/protocol/deployments'
import { edgeRequest } from '@rackfair/protocol/door'
import { earningsAnswer } from '@rackfair/protocol/earnings'
import { errorWire } from '@rackfair/protocol/error'
import { globalAnswer, networkTotals, seriesAnswer } from '@rackfair/protocol/network'
import {
  facet,
  modelPrice,
  nodeOfferShape,
  nodeSearchAnswer,
  nodeShape,
  pricesAnswer,
  rackAnswer,
  rackSlot,
} from '@rackfair/protocol/nodes'
import { feeRequest } from '@rackfair/protocol/orderRequests'
import { feeAnswer, orderEventShape, orderEventsAnswer, orderShape, receiptShape } from '@rackfair/protocol/orders'
import { pledgeHistoryAnswer } from '@rackfair/protocol/pledge'
import { preset } from '@rackfair/protocol/presets'
import { providerShape } from '@rackfair/protocol/providers'
import { edgePlaceAnswer, reachAnswer } from '@rackfair/protocol/reach'
import { reliabilityAnswer } from '@rackfair/protocol/reliability'
import type { Shape } from '@rackfair/protocol/shape'
import { monitorsAnswer, orderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { announcedKeys, workspacePlace } from '@rackfair/protocol/workspace'
import { zodOf } from '@rackfair/protocol/zodOf'
import type { ZodType } from 'zod'
import type { Settings } from '../settings/Settings.ts'
import type { App, Env } from './defineRoute.ts'
import { VERSION } from './routes/networkRoutes.ts'
import { COOKIE } from './sessionToken.ts'

/** The schemas with a name in the document, and therefore a type in generated clients. */
const SCHEMAS: Record<string, ZodType | Shape<unknown, unknown>> = {
  Config: configAnswer,
  Deployment: deploymentShape,
  DeploymentRequest: deploymentRequest,
  DeploymentStep: deploymentStep,
  Alert: alert,
  AlertCreated: alertCreated,
  AlertRequest: alertRequest,
  AlertsAnswer: alertsAnswer,
  Earnings: earningsAnswer,
  EdgePlace: edgePlaceAnswer,
  EdgeRequest: edgeRequest,
  Error: errorWire,
  Facet: facet,
  FaucetAnswer: faucetAnswer,
  FaucetRequest: faucetRequest,
  FeeAnswer: feeAnswer,
  FeeRequest: feeRequest,
  Global: networkTotals,
  GlobalAnswer: globalAnswer,
  ModelPrice: modelPrice,
  NewsletterRequest: newsletterRequest,
  Node: nodeShape,
  NodeListItem: nodeOfferShape,
  NodeSearchAnswer: nodeSearchAnswer,
  Nonce: nonceAnswer,
  Ok: okAnswer,
  Order: orderShape,
  OrderEvent: orderEventShape,
  OrderEventsAnswer: orderEventsAnswer,
  PledgeHistory: pledgeHistoryAnswer,
  Hardware: hardwareRecord,
  Reliability: reliabilityAnswer,
  OrderEvidence: orderEvidenceAnswer,
  Monitors: monitorsAnswer,
  Preset: preset,
  PricesAnswer: pricesAnswer,
  Provider: providerShape,
  RackAnswer: rackAnswer,
  RackSlot: rackSlot,
  ReachAnswer: reachAnswer,
  WorkspacePlace: workspacePlace,
  AnnouncedKeys: announcedKeys,
  Receipt: receiptShape,
  SeriesAnswer: seriesAnswer,
  Session: sessionAnswer,
  SignIn: verifyRequest,
}

const TAGS: Record<string, string> = {
  nodes: 'Nodes on offer, their search and their prices',
  providers: 'Providers, what they earned and pledged, and whether they can be reached',
  orders: 'Orders, their events and receipts, and quotes',
  deployments: 'Applications on orders',
  network: 'The installation, its catalogue, and totals of the network',
  account: 'Signing in, newsletter, faucet',
  alerts: 'What an account is told about, by webhook and mail',
  events: 'What changes, as it changes',
  state: 'Whether the platform is there, and keeps up',
}

type Json = null | string | number | boolean | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Serves the OpenAPI document of all routes defined so far. */
export function describeApi(app: App, settings: Pick<Settings, 'origins'>): void {
  let paths: { paths: JsonObject; components: JsonObject } | undefined
  app.get('/openapi.json', (call) => {
    paths ??= described(app)
    return call.json({
      openapi: '3.1.0',
      info: {
        title: 'Rackfair platform',
        version: VERSION,
        description: 'Amounts are wei of Credit (18 decimals = 1 USD) as decimal strings.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: settings.origins[0] ?? '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{}, { cookie: [] }, { bearer: [] }],
      ...paths,
    })
  })
}

function described(app: App): { paths: JsonObject; components: JsonObject } {
  const schemas = describedSchemas()
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [keyOf(schema), name]))
  const named = Object.entries(schemas).map(([name, schema]) => [name, withNames(schema, names, name)])
  const cookie = { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'Where there is TLS: set by signing in.' }
  const bearer = { type: 'http', scheme: 'bearer', description: 'Where there is no TLS: the token that signing in returns.' }
  return {
    paths: withNames(withRequired(pathsOf(app)), names) as JsonObject,
    components: { schemas: Object.fromEntries(named), securitySchemes: { cookie, bearer } },
  }
}

/** Each named schema as the generator writes it inside an answer, so that it is recognized there. */
function describedSchemas(): Record<string, JsonObject> {
  const one = new OpenAPIHono<Env>()
  for (const [name, declared] of Object.entries(SCHEMAS)) {
    const schema = 'form' in declared ? zodOf(declared) : declared
    const answer = { description: name, content: { 'application/json': { schema } } }
    one.openAPIRegistry.registerPath({ method: 'get', path: `/${name}`, responses: { 200: answer } })
  }
  type Described = { get: { responses: { 200: { content: { 'application/json': { schema: JsonObject } } } } } }
  const paths = Object.entries(pathsOf(one)) as unknown as [string, Described][]
  return Object.fromEntries(
    paths.map(([path, { get }]) => [path.slice(1), get.responses[200].content['application/json'].schema]),
  )
}

function pathsOf(app: App): JsonObject {
  const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } })
  return JSON.parse(JSON.stringify(document.paths)) as JsonObject
}

/** Path parameters are always present. The generator takes a number parsed from a text as optional. */
function withRequired(value: Json): Json {
  if (Array.isArray(value)) return value.map(withRequired)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, withRequired(item)])
  return { ...Object.fromEntries(entries), ...(value.in === 'path' ? { required: true } : {}) }
}

/** Replaces every schema that equals a named one with a reference. `own` is the name of the schema itself. */
function withNames(value: Json, names: ReadonlyMap<string, string>, own?: string): Json {
  if (Array.isArray(value)) return value.map((item) => withNames(item, names))
  if (value === null || typeof value !== 'object') return value
  const name = names.get(keyOf(value))
  if (name !== undefined && name !== own) return { $ref: `#/components/schemas/${name}` }
  const { type } = value
  if (Array.isArray(type) && type.length === 2 && type.includes('null')) {
    const alone = names.get(keyOf({ ...value, type: type.find((one) => one !== 'null') ?? null }))
    if (alone !== undefined) return { anyOf: [{ $ref: `#/components/schemas/${alone}` }, { type: 'null' }] }
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNames(item, names)]))
}

/** Equal for equal schemas, regardless of key order. */
function keyOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${key}:${keyOf(value[key] as Json)}`).join(',')}}`
}
