import { parseAppSpec } from '@rackfair/app-spec/parseAppSpec'
import { readDeployment } from '@rackfair/protocol/deployments'
import { readOrder } from '@rackfair/protocol/orders'
import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { visitLink } from '@rackfair/rules/deployment/visitUrl'
import { isLive, OrderStatus, shownStatus } from '@rackfair/rules/order/status'
import type { PresetName } from '@rackfair/rules/presets'
import { encodeList } from '@rackfair/rules/text/queryList'
import { newestBlock } from '../chain/newestBlock.ts'
import { getOrder } from '../chain/views.ts'
import { type Deployable, type DeployOptions, deployApp, followDeployment } from '../deploy/deployApp.ts'
import { appError } from '../errors/appError.ts'
import type { ReadOptions } from '../http/createApi.ts'
import type { NodeQuery } from '../http/NodeQuery.ts'
import type { Renter } from '../market/connectMarket.ts'
import { boughtOnce } from '../order/buyOnce.ts'
import { type Bought, type BuyOptions, extendOrder } from '../order/buyOrder.ts'
import { type Cancelled, cancelOrder, previewCancel } from '../order/cancelOrder.ts'
import { listOrders, type RentedOrder } from '../order/orders.ts'
import { userOf } from '../purse/asUser.ts'
import { serverSeconds } from '../serverClock.ts'
import { type LogsOptions, logs } from '../workspace/logs.ts'
import { openWorkspace } from '../workspace/openWorkspace.ts'
import type { Workspace } from '../workspace/Workspace.ts'
import { buyCheapest, quoteCheapest } from './buyCheapest.ts'
import { type Commands, commandsOf } from './commands.ts'
import { type Files, filesOf } from './files.ts'

export interface SandboxOptions extends Pick<BuyOptions, 'onSent' | 'signal'> {
  /** An image of any registry, with its tag: `docker.io/library/python:3.13-slim`. Or `preset`. */
  image?: string | undefined
  /** An application of the catalogue. Defaults to `ubuntu` where no image is named. */
  preset?: PresetName | undefined
  /**
   * What runs in the image all the while. Without `command` and `port` it is a shell that waits for `commands`, which the image has to have.
   */
  command?: readonly string[] | undefined
  /** The port at which the image, or `command`, serves HTTP: what `url()` leads to. The sandbox is there once it answers. */
  port?: number | undefined
  /** Settings of a preset, or the environment of an image, which is part of what the market sees: no secrets. */
  env?: Readonly<Record<string, string>> | undefined
  /** Environment of an image that only the machine can read. */
  secrets?: Readonly<Record<string, string>> | undefined
  /** Runs an image with a kernel of its own between it and the machine: slower, for code that nobody has read. */
  ownKernel?: boolean | undefined
  /**
   * The purchase's name: called again with it, `create` leads to the same sandbox and pays nothing, whatever happened to the program
   * meanwhile. For renters with a purse, which remembers it, also after the sandbox has ended: see `buyOnce`.
   */
  name?: string | undefined
  /** What the machine has to be, as in a search: `{ minCores: 4, minMemory: 16, minGpus: 1 }`. */
  machine?: Omit<NodeQuery, 'cursor' | 'limit' | 'idle' | 'sort' | 'runs' | 'takes'> | undefined
  /** How long it may live at most, an hour or more: then it ends by itself. Defaults to an hour. */
  term?: string | number | undefined
  /** Wei of Credit for the whole term. A sandbox that is ended before gets the rest back, to the second. */
  maxPriceWei?: bigint | undefined
  onProgress?: DeployOptions['onProgress']
}

/** What a sandbox has cost, in wei of Credit. */
export interface SandboxCost {
  /** What was paid for its whole term. */
  paidWei: bigint
  /** What of that is used up now. */
  usedWei: bigint
  /** What would come back if it ended now. */
  backWei: bigint
}

/** A machine with a running image, for as long as its order lasts. */
export interface Sandbox {
  /** Pass it to `Sandbox.connect`, from any program with the same account or purse. */
  readonly orderId: bigint
  readonly commands: Commands
  readonly files: Files
  /** The lines that the image itself wrote, and what the machine did for it; see `logs`. */
  logs(options?: LogsOptions): ReturnType<typeof logs>
  /** Where what it serves can be opened; undefined if it serves nothing. */
  readonly url: string | undefined
  cost(): Promise<SandboxCost>
  /** Lets it live longer, by an hour or more. @throws AppError as `extendOrder` */
  extend(term: string | number, options?: Pick<BuyOptions, 'maxPriceWei' | 'onSent' | 'signal'>): Promise<Bought>
  /** Ends it: what was not used comes back at once, and the machine is cleaned. @throws AppError as `cancelOrder` */
  kill(): Promise<Cancelled>
  /** Leaves it running, and lets this program go. */
  close(): void
}

const DEFAULT_TERM = '1h'

/** What the first deployment of a sandbox is called, so that two programs with the same sandbox deploy once. */
const FIRST = 'sandbox'

/** Machines that run what a program sends them. */
export const Sandbox = {
  /**
   * Buys the cheapest idle machine that fits and runs an image on it. If anything fails, the order is ended again; if this program dies, it
   * ends by itself after its term, or by `Sandbox.list` and `kill`.
   *
   * @throws AppError `not_found` if no machine fits, `app_malformed`, `order_not_active` if the sandbox of that name has ended, and as
   * `buyOrder` and `deployApp`.
   * @example
   * const sandbox = await Sandbox.create(renter, { image: 'docker.io/library/python:3.13-slim', maxPriceWei: ONE_CREDIT_WEI })
   * const { stdout } = await sandbox.commands.run('python -c "print(6 * 7)"')
   * await sandbox.kill()
   */
  async create(renter: Renter, options: SandboxOptions = {}): Promise<Sandbox> {
    const what = deployableOf(options)
    const { onSent, signal, onProgress, maxPriceWei, name, term = DEFAULT_TERM } = options
    const deploying = { env: environmentOf(options), signal, ...(onProgress ? { onProgress } : {}) }
    const before = name === undefined ? undefined : await boughtOnce(renter, name)
    if (before !== undefined) return resumed(renter, before, what, deploying)
    const query = { ...options.machine, ...needs(options) }
    const buying = { maxPriceWei, signal, term, name, ...(onSent ? { onSent } : {}) }
    const { orderId, bought } = await buyCheapest(renter, query, buying)
    if (!bought) return resumed(renter, orderId, what, deploying)
    try {
      const { visitUrl } = await deployApp(renter, orderId, what, { ...deploying, once: FIRST, minBlock: bought.block })
      return sandboxOf(renter, orderId, visitUrl, await openWorkspace(renter, orderId))
    } catch (error) {
      // The first failure is reported; an order that could not be ended shows in the list.
      await cancelOrder(renter, orderId).catch(() => undefined)
      throw error
    }
  },

  /**
   * What `create` would pay now for the whole term, in wei of Credit. Nothing is reserved: pass it as `maxPriceWei`.
   * @throws AppError `not_found` if no machine fits, `app_malformed`, `platform_unreachable`, `rpc_unreachable` (retryable).
   * @example const priceWei = await Sandbox.quote(renter, { preset: 'ubuntu', term: '2h' })
   */
  quote(
    renter: Renter,
    options: Pick<SandboxOptions, 'image' | 'preset' | 'ownKernel' | 'machine' | 'term'> = {},
  ): Promise<bigint> {
    deployableOf(options)
    return quoteCheapest(renter, { ...options.machine, ...needs(options) }, options.term ?? DEFAULT_TERM)
  },

  /**
   * A sandbox by its order, also one whose program died before anything ran on it.
   * @throws AppError `order_not_active` if it has ended, `not_found`, `platform_unreachable` (retryable).
   * @example const sandbox = await Sandbox.connect(renter, 12n)
   */
  async connect(renter: Renter, orderId: bigint): Promise<Sandbox> {
    await requireLive(renter, orderId)
    await untilListed(renter, orderId)
    return sandboxOf(renter, orderId, await urlOf(renter, orderId), await openWorkspace(renter, orderId))
  },

  /**
   * The orders of the account or purse that are not ended, as the chain has it now: also those whose program died. Newest first.
   *
   * @throws AppError `platform_unreachable`, `rpc_unreachable` (retryable), `answer_malformed`.
   * @example for (const { orderId } of await Sandbox.list(renter)) await (await Sandbox.connect(renter, orderId)).kill()
   */
  async list(renter: Renter, read: ReadOptions = {}): Promise<RentedOrder[]> {
    const orders = await listOrders(renter, userOf(renter), { minBlock: await newestBlock(renter.client), ...read })
    return orders.filter(({ standing }) => isLive(standing))
  },
}

/** What was bought under a name, with what it is to run: another program may have begun that, or died before it did. */
async function resumed(renter: Renter, orderId: bigint, what: Deployable, options: DeployOptions): Promise<Sandbox> {
  await requireLive(renter, orderId)
  await untilListed(renter, orderId)
  const deployment = await latestOf(renter, orderId)
  if (deployment === undefined || deployment.phase === 'Failed')
    await deployApp(renter, orderId, what, { ...options, once: deployment ? `${FIRST} after ${deployment.id}` : FIRST })
  else await followDeployment(renter, deployment, options)
  return sandboxOf(renter, orderId, await urlOf(renter, orderId), await openWorkspace(renter, orderId))
}

/** The chain knows that an order has ended before the platform does. */
async function requireLive({ client, addresses }: Renter, orderId: bigint): Promise<void> {
  const status = shownStatus(await getOrder(client, addresses, orderId), serverSeconds())
  if (status !== OrderStatus.Created && status !== OrderStatus.Active)
    throw appError('order_not_active', `the sandbox of order ${orderId} has ended`)
}

/** The chain knows an order that another program has just bought before the platform does. */
async function untilListed({ api, client }: Renter, orderId: bigint): Promise<void> {
  await api.order(String(orderId), { minBlock: await newestBlock(client) })
}

/** The newest deployment of an order; undefined if there was none. */
function latestOf({ api }: Renter, orderId: bigint): Promise<Deployment | undefined> {
  return api.orderDeployment(String(orderId)).then(readDeployment, (error: { code?: unknown }) => {
    if (error.code === 'not_found') return undefined
    throw error
  })
}

async function urlOf(renter: Renter, orderId: bigint): Promise<string | undefined> {
  const deployment = await latestOf(renter, orderId)
  return deployment?.visitUrl ? visitLink(readOrder(await renter.api.order(String(orderId))), deployment.visitUrl) : undefined
}

function sandboxOf(renter: Renter, orderId: bigint, url: string | undefined, workspace: Workspace): Sandbox {
  return {
    orderId,
    commands: commandsOf(workspace),
    files: filesOf(workspace),
    logs: (options) => logs(workspace, options),
    url,
    async cost() {
      const [{ totalValue: paidWei }, { toUser: backWei }] = await Promise.all([
        getOrder(renter.client, renter.addresses, orderId),
        previewCancel(renter, orderId),
      ])
      return { paidWei, usedWei: paidWei - backWei, backWei }
    },
    extend: (term, options) => extendOrder(renter, { orderId, term }, options),
    async kill() {
      workspace.close()
      return cancelOrder(renter, orderId)
    },
    close: () => workspace.close(),
  }
}

/** A shell that ends when it is told to, and uses no time until then. */
const WAITING = ['sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done']

function deployableOf({ image, preset, command, port, env = {}, secrets = {}, ownKernel }: SandboxOptions): Deployable {
  if (image === undefined) {
    if (command || port !== undefined || ownKernel)
      throw appError('bad_request', 'command, port and ownKernel are for a sandbox with an image')
    return { preset: preset ?? 'ubuntu' }
  }
  if (preset !== undefined) throw appError('bad_request', 'a sandbox has an image or a preset, not both')
  const words = command ?? (port === undefined ? WAITING : undefined)
  const wanted = {
    ...{ image, env, secrets: Object.keys(secrets), volumes: [] },
    ports: port === undefined ? [] : [{ protocol: 'http', port }],
    ...(words ? { command: words } : {}),
    ...(ownKernel ? { sandbox: 'gvisor' } : {}),
  }
  const { spec, problems } = parseAppSpec(wanted)
  if (!spec) throw appError('app_malformed', problems.map(({ field, code }) => `${field}: ${code}`).join(', '))
  return { app: spec }
}

const environmentOf = ({ image, env, secrets }: SandboxOptions) => (image === undefined ? { ...env, ...secrets } : { ...secrets })

/** What the provider of such a sandbox has to take. */
function needs({ image, preset, ownKernel }: SandboxOptions): Pick<NodeQuery, 'runs' | 'takes'> {
  if (image === undefined) return { runs: preset ?? 'ubuntu' }
  return { takes: encodeList(['own_images', ...(ownKernel ? ['gvisor'] : [])]) }
}
