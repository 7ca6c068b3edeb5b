import type { DeploymentWire, ImagePromise } from '@rackfair/protocol/deployments'
import type { ChainView } from '../chain/read/chainView.ts'
import type { Renewals } from '../chain/read/renewals.ts'
import type { Outbox } from '../chain/transactions/outbox.ts'
import type { AgentDb } from '../db/openAgentDb.ts'
import type { Log } from '../foundation/log.ts'
import type { AgentTimes } from '../foundation/times.ts'
import type { Hardware } from '../machine/detect/detectHardware.ts'
import type { GpuWatch } from '../machine/gpu/createGpuWatch.ts'
import type { Preset } from '../presets/loadCatalog.ts'
import type { PortForwards } from '../runtime/createPortForwards.ts'
import type { Runtime } from '../runtime/Runtime.ts'
import type { ImageFacts } from '../uptime/createPromises.ts'
import type { OrderNotes } from './orderNotes.ts'
import type { VerifyContext } from './verify/verifyDeploy.ts'

export interface OrderManagerOptions {
  state: AgentDb
  chain: ChainView
  /** Which orders are kept alive by their purses. */
  renewals: Renewals
  runtime: Runtime
  forwards: PortForwards
  outbox: Outbox
  presets: ReadonlyMap<number, Preset>
  verify: VerifyContext
  visitUrl: (orderId: bigint, user: string) => string
  /** The name of an order for browsers on this machine; undefined where they have others. */
  localName?: (orderId: bigint) => string | undefined
  /** Seconds of the chain's clock between the end of an order and the removal of its data. */
  wipeAfterSeconds: number
  /** How long an application that never answers may use the machine before it is recorded on chain all the same. */
  unansweredMs?: number
  /** After how long without an answer it is told what is seen of an application. */
  hintMs?: number
  machine: Hardware
  /** Whether the provider may sell more than the machine has. */
  oversell: boolean
  gpus: Pick<GpuWatch, 'gpus' | 'problemOf'>
  /** Signs which image a deployment runs; resolves to undefined if no monitor would check it. */
  promise: (what: ImageFacts) => Promise<ImagePromise | undefined>
  /** What the order's user reads in its log beside the application's own lines. */
  notes: Pick<OrderNotes, 'add' | 'remove'>
  onStatus: (deployment: DeploymentWire) => void
  log: Log
  times: Pick<AgentTimes, 'startRetryMs' | 'startRetryMaxMs' | 'engineAwayMs'>
}
