import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { type Application, type ApplicationFact, applicationOf, type LatestDeployment } from '../deployment/actions.ts'
import { MAX_ORDER_SECONDS, MIN_ORDER_SECONDS } from '../duration.ts'
import { droppedBy, settleableWei } from './money.ts'
import { type Order, orderTerms, type Who } from './order.ts'
import { isLive, type Standing, standingOf } from './status.ts'
import { inProbation, orderEnd } from './time.ts'

/** Why an action on an order is not possible, and the fact that says so. */
export type OrderBlocker =
  | { code: 'not_connected' | 'not_buyer' | 'not_provider'; fact: 'account' }
  | { code: 'not_started' | 'start_missed' | 'started' | 'ended' | 'closed' | 'no_probation'; fact: 'order' }
  | { code: 'nothing_final' | 'not_dropped'; fact: 'order' }
  | { code: 'too_long'; fact: 'order'; mostSeconds: number }
  | { code: 'switched_off'; fact: 'node' }
  | { code: 'reading' | 'no_page' | 'stopped' | 'finished' | 'not_stopped'; fact: 'report' }
  | { code: 'under_way' | 'running' | 'nothing_deployed'; fact: ApplicationFact }

export type Answer = 'yes' | OrderBlocker

/** The actions on an order, each with `yes` or why not. */
export interface OrderActions {
  deploy: Answer
  visit: Answer
  clean: Answer
  /** Stop the application, or restart it; its data stays. */
  restart: Answer
  /** Start a stopped application. */
  start: Answer
  /** By at least an hour. Anybody may pay for it, but only the buyer is offered it. */
  extend: Answer
  /** By its buyer. */
  cancel: Answer
  /** End the probation. */
  confirm: Answer
  /** Pay the provider what is final, or close an order that is over. */
  settle: Answer
  /** Cancel by its provider. */
  drop: Answer
  /** Start the time manually. */
  activate: Answer
  /** Close for its buyer, once its provider missed the start or was away for a day. By anyone. */
  close: Answer
}

/**
 * What `who` can do with an order at `now` (unix seconds), by the rules of the Market contract and of the agents. A visitor gets the
 * buyer's reasons first, and then the one to connect.
 */
export function orderActions(order: Order, latest: LatestDeployment, who: Who, now: number): OrderActions {
  const standing = standingOf(order, now)
  const application = applicationOf(order, latest)
  return {
    deploy: by('buyer', who, notLive(standing) ?? notFree(application)),
    visit: by(
      'buyer',
      who,
      notLive(standing) ?? notPresent(application) ?? stopped(latest) ?? finished(latest) ?? withoutPage(latest),
    ),
    clean: by('buyer', who, notLive(standing) ?? notPresent(application)),
    restart: by('buyer', who, notLive(standing) ?? notPresent(application) ?? stopped(latest)),
    start: by('buyer', who, notLive(standing) ?? notPresent(application) ?? notStopped(latest)),
    extend: extendAnswer(order, who, undefined, now),
    cancel: by('buyer', who, standing === 'closed' ? CLOSED : undefined),
    confirm: by('buyer', who, notActive(standing) ?? (inProbation(orderTerms(order), now) ? undefined : NO_PROBATION)),
    settle: byAnyone(who, notSettleable(order, standing, now)),
    drop: by('provider', who, notDroppable(standing)),
    activate: by('provider', who, notStartable(standing)),
    close: byAnyone(who, standing === 'closed' ? CLOSED : droppedBy(order, now) ? undefined : NOT_DROPPED),
  }
}

/** Whether the order can be extended by `seconds`; undefined checks an hour. */
export function extendAnswer(
  order: Pick<Order, 'status' | 'createTime' | 'activateTime' | 'duration'> & { node: { switchedOn: boolean } | null },
  who: Who,
  seconds: number | undefined,
  now: number,
): Answer {
  const mostSeconds = MAX_ORDER_SECONDS - (orderEnd(order) - now)
  const tooLong = (seconds ?? MIN_ORDER_SECONDS) > mostSeconds
  return by(
    'buyer',
    who,
    notActive(standingOf(order, now)) ??
      (order.node !== null && !order.node.switchedOn ? SWITCHED_OFF : undefined) ??
      (tooLong ? { code: 'too_long', fact: 'order', mostSeconds: Math.max(0, mostSeconds) } : undefined),
  )
}

const NOT_CONNECTED: OrderBlocker = { code: 'not_connected', fact: 'account' }
const SWITCHED_OFF: OrderBlocker = { code: 'switched_off', fact: 'node' }
const CLOSED: OrderBlocker = { code: 'closed', fact: 'order' }
const ENDED: OrderBlocker = { code: 'ended', fact: 'order' }
const NOT_STARTED: OrderBlocker = { code: 'not_started', fact: 'order' }
const START_MISSED: OrderBlocker = { code: 'start_missed', fact: 'order' }
const STARTED: OrderBlocker = { code: 'started', fact: 'order' }
const NOT_DROPPED: OrderBlocker = { code: 'not_dropped', fact: 'order' }
const NO_PROBATION: OrderBlocker = { code: 'no_probation', fact: 'order' }

/** Everybody is told that an order is over; otherwise a wrong role outranks what the right one still has to wait for. */
function by(role: 'buyer' | 'provider', who: Who, blocker: OrderBlocker | undefined): Answer {
  if (who === role || who === 'visitor') return byAnyone(who, blocker)
  return blocker?.code === 'ended' || blocker?.code === 'closed' ? blocker : { code: `not_${role}`, fact: 'account' }
}

function byAnyone(who: Who, blocker: OrderBlocker | undefined): Answer {
  return blocker ?? (who === 'visitor' ? NOT_CONNECTED : 'yes')
}

/** Why the order does not give its buyer the machine. */
function notLive(standing: Standing): OrderBlocker | undefined {
  if (isLive(standing)) return undefined
  return standing === 'start_missed' ? START_MISSED : standing === 'expired' ? ENDED : CLOSED
}

/** Why the order's time is not running. */
function notActive(standing: Standing): OrderBlocker | undefined {
  if (standing === 'startable') return NOT_STARTED
  return notLive(standing)
}

function notFree(application: Application): OrderBlocker | undefined {
  switch (application.state) {
    case 'unknown':
      return { code: 'reading', fact: 'report' }
    case 'busy':
      return { code: 'under_way', fact: application.fact }
    case 'present':
      return { code: 'running', fact: application.fact }
    case 'none':
      return undefined
  }
}

function notPresent(application: Application): OrderBlocker | undefined {
  if (application.state === 'present') return undefined
  return application.state === 'none' ? { code: 'nothing_deployed', fact: application.fact } : notFree(application)
}

/** Only the machine's own report says that the renter stopped an application. */
const isStopped = (latest: LatestDeployment): boolean => latest?.phase === 'Stopped'
const stopped = (latest: LatestDeployment): OrderBlocker | undefined =>
  isStopped(latest) ? { code: 'stopped', fact: 'report' } : undefined
/** A finished job can be run again, but not visited. */
const finished = (latest: LatestDeployment): OrderBlocker | undefined =>
  latest?.phase === 'Finished' ? { code: 'finished', fact: 'report' } : undefined
const notStopped = (latest: LatestDeployment): OrderBlocker | undefined =>
  isStopped(latest) ? undefined : { code: 'not_stopped', fact: 'report' }

/** Only the renter's own application may have no HTTP port. */
function withoutPage(latest: LatestDeployment): OrderBlocker | undefined {
  return latest?.deployId === OWN_APP_DEPLOY_ID && latest.visitUrl === null ? { code: 'no_page', fact: 'report' } : undefined
}

function notSettleable(order: Order, standing: Standing, now: number): OrderBlocker | undefined {
  if (standing === 'startable' || standing === 'start_missed') return NOT_STARTED
  if (standing === 'closed' && order.pendingUntil === 0) return CLOSED
  if (standing === 'closed') return now >= order.pendingUntil ? undefined : { code: 'nothing_final', fact: 'order' }
  const terms = orderTerms(order)
  const frees = standing === 'expired' && order.node?.orderId === order.orderId
  const completes = now >= orderEnd(order) + order.holdbackSeconds
  return settleableWei(terms, now) > 0n || frees || completes ? undefined : { code: 'nothing_final', fact: 'order' }
}

/** A provider can drop an order that is created or running; past its end there is nothing to drop. */
function notDroppable(standing: Standing): OrderBlocker | undefined {
  return standing === 'expired' ? ENDED : standing === 'closed' ? CLOSED : undefined
}

function notStartable(standing: Standing): OrderBlocker | undefined {
  switch (standing) {
    case 'startable':
      return undefined
    case 'start_missed':
      return START_MISSED
    case 'active':
      return STARTED
    case 'expired':
      return ENDED
    case 'closed':
      return CLOSED
  }
}
