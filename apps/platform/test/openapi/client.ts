/** A third-party program with the types generated from the document: every call once, with each response under its name. */
export const CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'

type Schemas = components['schemas']

export function everyCall(baseUrl: string, { cp, user, order }: { cp: string; user: string; order: string }) {
  const client = createClient<paths>({ baseUrl })
  const address = { path: { address: cp } }
  const id = { path: { id: order } }
  const signature = \`0x\${'11'.repeat(65)}\`
  const abort = AbortSignal.timeout(30_000)
  return {
    searchNodes: client.GET('/v1/nodes', { params: { query: { gpu: 'RTX 4090', limit: 10 } } }),
    getNode: client.GET('/v1/nodes/{cp}/{id}', { params: { path: { cp, id: 1 } } }),
    getNodeReliability: client.GET('/v1/nodes/{cp}/{id}/reliability', { params: { path: { cp, id: 1 } } }),
    getNodeHardware: client.GET('/v1/nodes/{cp}/{id}/hardware', { params: { path: { cp, id: 1 } } }),
    getProviderReliability: client.GET('/v1/cp/{address}/reliability', { params: address }),
    getOrderEvidence: client.GET('/v1/orders/{id}/evidence', { params: id }),
    listMonitors: client.GET('/v1/monitors'),
    getRack: client.GET('/v1/rack'),
    getPrices: client.GET('/v1/prices'),
    listProviders: client.GET('/v1/cp/list/{from}/{to}', { params: { path: { from: 0, to: 10 } } }),
    getProvider: client.GET('/v1/cp/{address}', { params: address }),
    listProviderOrders: client.GET('/v1/cp/{address}/order/list', { params: address }),
    getEarnings: client.GET('/v1/cp/{address}/earnings', { params: address }),
    getPledgeHistory: client.GET('/v1/cp/{address}/pledge', { params: address }),
    getWorkspacePlace: client.GET('/v1/cp/{address}/workspace', { params: address }),
    probeProvider: client.POST('/v1/cp/{address}/reach', { params: address }),
    askEdge: client.POST('/v1/cp/{address}/edge', { params: address, body: { edge: \`edge.example#\${'ab'.repeat(32)}\` } }),
    listUserOrders: client.GET('/v1/user/{address}/order/list', { params: { path: { address: user } } }),
    getOrder: client.GET('/v1/orders/{id}', { params: id }),
    listOrderEvents: client.GET('/v1/orders/{id}/events', { params: id }),
    getReceipt: client.GET('/v1/orders/{id}/receipt', { params: id }),
    getReceiptCsv: client.GET('/v1/orders/{id}/receipt.csv', { params: id, parseAs: 'text' }),
    getOrderDeployment: client.GET('/v1/orders/{id}/deployment', { params: id }),
    quoteFee: client.POST('/v1/order/fee', { body: { duration: 2_592_000, node_id: 1, provider: cp } }),
    getConfig: client.GET('/v1/config'),
    getGlobal: client.GET('/v1/global/'),
    getSeries: client.GET('/v1/stats/series', { params: { query: { range: '24h' } } }),
    listPresets: client.GET('/v1/presets'),
    getPresetFile: client.GET('/v1/presets/{file}', { params: { path: { file: 'nginx.yaml' } }, parseAs: 'text' }),
    createNonce: client.POST('/v1/auth/nonce'),
    signIn: client.POST('/v1/auth/verify', { body: { message: 'hello', signature } }),
    getSession: client.GET('/v1/auth/session'),
    signOut: client.POST('/v1/auth/logout'),
    listAlerts: client.GET('/v1/alerts'),
    createAlert: client.POST('/v1/alerts', {
      body: { kind: 'webhook', target: 'https://example.com/', events: ['sold'], locale: 'en' },
    }),
    removeAlert: client.POST('/v1/alerts/{id}/remove', { params: { path: { id: 'a'.repeat(43) } } }),
    testAlert: client.POST('/v1/alerts/{id}/test', { params: { path: { id: 'a'.repeat(43) } } }),
    confirmAlert: client.POST('/v1/alerts/confirm', { body: { token: 'a'.repeat(43) } }),
    unsubscribeAlert: client.POST('/v1/alerts/unsubscribe', { body: { token: 'a'.repeat(43) } }),
    subscribeNewsletter: client.POST('/v1/newsletter', { body: { email: 'ada@example.com', locale: 'en' } }),
    useFaucet: client.POST('/v1/faucet', { body: { address: user } }),
    createDeployment: client.POST('/v1/deployments', { body: { text: 'not signed', signature } }),
    getDeployment: client.GET('/v1/deployments/{id}', { params: { path: { id: 'none' } } }),
    greetDeploy: client.GET('/greet/deployid', { params: { header: { signtoken: signature, signmessage: 'x' } } }),
    greetClean: client.GET('/greet/cleanuser', { params: { header: { signtoken: signature, signmessage: 'x' } } }),
    streamEvents: client.GET('/v1/events', { parseAs: 'stream', signal: abort }),
    getHealth: client.GET('/healthz'),
    getReadiness: client.GET('/readyz'),
    getMetrics: client.GET('/metrics', { parseAs: 'text' }),
  }
}

/** Each response has the type of its name: otherwise this does not compile. */
export async function named(calls: ReturnType<typeof everyCall>) {
  const orders: Schemas['Order'][] | undefined = (await calls.listUserOrders).data
  const node: Schemas['NodeListItem'] | undefined = (await calls.getNode).data
  const search: Schemas['NodeSearchAnswer'] | undefined = (await calls.searchNodes).data
  const provider: Schemas['Provider'] | undefined = (await calls.getProvider).data
  const deployment: Schemas['Deployment'] | undefined = (await calls.getDeployment).data
  const refusal: Schemas['Error'] | undefined = (await calls.getOrder).error
  const price: Schemas['Order']['totalValue'] | undefined = orders?.[0]?.totalValue
  return [orders, node, search, provider, deployment, refusal, price]
}
`
