import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { describe, expect, test } from 'vitest'
import { toAddress } from '../address.ts'
import type { Application, LatestDeployment } from '../deployment/actions.ts'
import { applicationOf } from '../deployment/actions.ts'
import { DEPLOYMENT_PHASES, type DeploymentPhase, PHASES } from '../deployment/phase.ts'
import { type Answer, extendAnswer, orderActions } from './actions.ts'
import type { Order } from './order.ts'
import { type Who, whoIs } from './order.ts'
import { testOrder } from './testing/testOrder.ts'

const START = 1_800_000_000
const PROBATION = 600
const DAY = 86_400
const MONTH = 2_592_000
const CREDIT = 10n ** 18n

const bought = testOrder({ status: 1, activateTime: 0, providerConfirm: false })
const active = testOrder()
const closed = (status: number) => ({ ...active, status, closeTime: START + 9, node: null })
const app = 'the application decides'
const ended = 'ended by order'
const over = 'closed by order'
const unstarted = 'not_started by order'

/** Every state of an order: the order, the time of the check, and the actions of its buyer and its provider. */
const STATES: Record<
  string,
  {
    order: Order
    now: number
    use: string
    extend: string
    cancel: string
    confirm: string
    settle: string
    drop: string
    activate: string
  }
> = {
  created: {
    order: bought,
    now: START,
    use: app,
    extend: unstarted,
    cancel: 'yes',
    confirm: unstarted,
    settle: unstarted,
    drop: 'yes',
    activate: 'yes',
  },
  'created, not started in time': {
    order: bought,
    now: START - 100 + DAY,
    use: 'start_missed by order',
    extend: 'start_missed by order',
    cancel: 'yes',
    confirm: 'start_missed by order',
    settle: unstarted,
    drop: 'yes',
    activate: 'start_missed by order',
  },
  'active, in probation': {
    order: active,
    now: START + PROBATION - 1,
    use: app,
    extend: 'yes',
    cancel: 'yes',
    confirm: 'yes',
    settle: 'nothing_final by order',
    drop: 'yes',
    activate: 'started by order',
  },
  'active, deployed in its probation': {
    order: { ...active, deployTime: START + 1 },
    now: START + PROBATION - 1,
    use: app,
    extend: 'yes',
    cancel: 'yes',
    confirm: 'no_probation by order',
    settle: 'nothing_final by order',
    drop: 'yes',
    activate: 'started by order',
  },
  'active, nothing final yet': {
    order: active,
    now: START + PROBATION,
    use: app,
    extend: 'yes',
    cancel: 'yes',
    confirm: 'no_probation by order',
    settle: 'nothing_final by order',
    drop: 'yes',
    activate: 'started by order',
  },
  active: {
    order: active,
    now: START + DAY + 1,
    use: app,
    extend: 'yes',
    cancel: 'yes',
    confirm: 'no_probation by order',
    settle: 'yes',
    drop: 'yes',
    activate: 'started by order',
  },
  'past its end': {
    order: active,
    now: START + 2 * MONTH,
    use: ended,
    extend: ended,
    cancel: 'yes',
    confirm: ended,
    settle: 'yes',
    drop: ended,
    activate: ended,
  },
  'expired, as the platform says it': {
    order: { ...active, status: 7 },
    now: START + 2 * MONTH,
    use: ended,
    extend: ended,
    cancel: 'yes',
    confirm: ended,
    settle: 'yes',
    drop: ended,
    activate: ended,
  },
  completed: {
    order: closed(3),
    now: START + DAY,
    use: over,
    extend: over,
    cancel: over,
    confirm: over,
    settle: over,
    drop: over,
    activate: over,
  },
  'cancelled by the buyer': {
    order: closed(4),
    now: START + DAY,
    use: over,
    extend: over,
    cancel: over,
    confirm: over,
    settle: over,
    drop: over,
    activate: over,
  },
  'cancelled by the provider': {
    order: closed(5),
    now: START + DAY,
    use: over,
    extend: over,
    cancel: over,
    confirm: over,
    settle: over,
    drop: over,
    activate: over,
  },
  'left in probation': {
    order: closed(6),
    now: START + DAY,
    use: over,
    extend: over,
    cancel: over,
    confirm: over,
    settle: over,
    drop: over,
    activate: over,
  },
}

const taken = (phase: DeploymentPhase, deployId = 2): LatestDeployment => ({
  phase,
  deployId,
  steps: [
    { phase: 'Accepted', at: 1 },
    { phase, at: 2 },
  ],
})
const refused = (deployId: number): LatestDeployment => ({
  phase: 'Failed',
  deployId,
  steps: [
    { phase: 'Queued', at: 1 },
    { phase: 'Failed', at: 2, code: 'text_too_old' },
  ],
})

/** Closing is for orders whose provider missed the start; those whose machine was away are tested below. */
const closeOf = ({ use }: { use: string }) =>
  use === over ? over : use === 'start_missed by order' ? 'yes' : 'not_dropped by order'

/** The latest deployment and the flag on chain: what they permit for deploying, and for visiting and cleaning. */
const FACTS: readonly [string, LatestDeployment, flag: boolean, deploy: string, use: string][] = [
  ['not read yet', undefined, false, 'reading by report', 'reading by report'],
  ['not read yet, flag set', undefined, true, 'reading by report', 'reading by report'],
  ['none', null, false, 'yes', 'nothing_deployed by flag'],
  ['none known, flag set', null, true, 'running by flag', 'yes'],
  ...(['Queued', 'Accepted', 'Pulling', 'Creating', 'Starting', 'Cleaning'] as const).flatMap((phase) =>
    [false, true].map((flag): (typeof FACTS)[number] => [
      phase,
      taken(phase),
      flag,
      'under_way by report',
      'under_way by report',
    ]),
  ),
  ...(['Running', 'Degraded'] as const).flatMap((phase) =>
    [false, true].map((flag): (typeof FACTS)[number] => [phase, taken(phase), flag, 'running by report', 'yes']),
  ),
  ['Stopped', taken('Stopped'), true, 'running by report', 'yes'],
  ['Finished', taken('Finished'), true, 'running by report', 'yes'],
  ...(['Failed', 'Cleaned', 'Closed'] as const).flatMap((phase) =>
    [false, true].map((flag): (typeof FACTS)[number] => [phase, taken(phase), flag, 'yes', 'nothing_deployed by report']),
  ),
  ['Failed, never taken', refused(2), false, 'yes', 'nothing_deployed by flag'],
  ['Failed, never taken, flag set', refused(2), true, 'running by flag', 'yes'],
  ['a clean that failed, flag set', taken('Failed', 0), true, 'running by flag', 'yes'],
]

const WHO: readonly Who[] = ['buyer', 'provider', 'stranger', 'visitor']
const short = (answer: Answer) => (answer === 'yes' ? 'yes' : `${answer.code} by ${answer.fact}`)

/** The answer for `who` where the account with the `right` gets `answer`. */
function toldTo(who: Who, right: 'buyer' | 'provider' | 'anyone', answer: string): string {
  if (who === 'visitor') return answer === 'yes' ? 'not_connected by account' : answer
  if (right === 'anyone' || who === right || answer === ended || answer === over) return answer
  return `not_${right} by account`
}

const unlessStopped = (latest: LatestDeployment, use: string) => (latest?.phase === 'Stopped' ? 'stopped by report' : use)
const unlessOver = (latest: LatestDeployment, use: string) =>
  latest?.phase === 'Finished' ? 'finished by report' : unlessStopped(latest, use)
const onlyStopped = (latest: LatestDeployment, use: string) =>
  use === 'yes' && latest?.phase !== 'Stopped' ? 'not_stopped by report' : use

describe.each(Object.entries(STATES))('an order that is %s', (_name, state) => {
  test.each(WHO)('to a %s, for every latest deployment', (who) => {
    for (const [fact, latest, deployed, deploy, use] of FACTS) {
      const actions = orderActions({ ...state.order, deployed }, latest, who, state.now)
      const told = Object.fromEntries(Object.entries(actions).map(([key, answer]) => [key, short(answer)]))
      expect(told, `${fact}, flag ${deployed}`).toEqual({
        deploy: toldTo(who, 'buyer', state.use === app ? deploy : state.use),
        visit: toldTo(who, 'buyer', state.use === app ? unlessOver(latest, use) : state.use),
        restart: toldTo(who, 'buyer', state.use === app ? unlessStopped(latest, use) : state.use),
        start: toldTo(who, 'buyer', state.use === app ? onlyStopped(latest, use) : state.use),
        clean: toldTo(who, 'buyer', state.use === app ? use : state.use),
        extend: toldTo(who, 'buyer', state.extend),
        cancel: toldTo(who, 'buyer', state.cancel),
        confirm: toldTo(who, 'buyer', state.confirm),
        settle: toldTo(who, 'anyone', state.settle),
        drop: toldTo(who, 'provider', state.drop),
        activate: toldTo(who, 'provider', state.activate),
        close: toldTo(who, 'anyone', closeOf(state)),
      })
    }
  })
})

test('marks every phase as either present, busy or ended', () => {
  expect(Object.keys(PHASES).sort()).toEqual([...DEPLOYMENT_PHASES].sort())
  for (const { ended: isEnded, present, busy } of Object.values(PHASES))
    expect([isEnded, present, busy].filter(Boolean)).toHaveLength(1)
})

test('names the application that a report calls present', () => {
  const present: Application = { state: 'present', fact: 'report', deployId: 2 }
  expect(applicationOf({ deployed: false }, taken('Degraded'))).toEqual(present)
  expect(applicationOf({ deployed: true }, null)).toEqual({ state: 'present', fact: 'flag', deployId: undefined })
})

test('offers clean but not visit for an application without a page', () => {
  const own = (visitUrl: string | null): LatestDeployment =>
    ({ ...taken('Running', OWN_APP_DEPLOY_ID), visitUrl }) as LatestDeployment
  const can = (latest: LatestDeployment) => orderActions(active, latest, 'buyer', START + DAY)
  expect(can(own(null)).visit).toEqual({ code: 'no_page', fact: 'report' })
  expect(can(own(null)).clean).toBe('yes')
  expect(can(own('https://o1.example')).visit).toBe('yes')
})

test('classifies an account as buyer, provider or neither', () => {
  expect([bought.user, bought.provider, toAddress(`0x${'00'.repeat(20)}`), undefined].map((one) => whoIs(bought, one))).toEqual([
    'buyer',
    'provider',
    'stranger',
    'visitor',
  ])
})

describe('settling', () => {
  const settle = (change: Partial<Order>, seconds: number) =>
    short(orderActions({ ...active, ...change }, null, 'provider', START + seconds).settle)
  test('books nothing twice', () => {
    const dayAndASecond = (30n * CREDIT * 1n) / BigInt(MONTH)
    expect(settle({ remunerationWei: dayAndASecond }, DAY + 1)).toBe('nothing_final by order')
    expect(settle({ remunerationWei: dayAndASecond }, DAY + 2)).toBe('yes')
  })
  test('resolves the pending part of a cancelled order once its time is over', () => {
    const pending = { status: 4, closeTime: START, pendingUntil: START + 86_400, node: null }
    expect(settle(pending, 86_399)).toBe('nothing_final by order')
    expect(settle(pending, 86_400)).toBe('yes')
  })
  test('frees the node at the end, and closes the order after the holdback', () => {
    const paid = { remunerationWei: 60n * CREDIT }
    expect(settle(paid, 2 * MONTH)).toBe('yes')
    expect(settle({ ...paid, node: null }, 2 * MONTH)).toBe('nothing_final by order')
    expect(settle({ ...paid, node: null }, 2 * MONTH + DAY)).toBe('yes')
  })
})

test('lets anyone close an order whose node was away for a day, to the second', () => {
  const close = (change: Partial<Order>) => short(orderActions({ ...active, ...change }, null, 'stranger', START + 3 * DAY).close)
  const since = START + 2 * DAY
  expect(close({ downSince: since, reportedUntil: since + DAY - 1 })).toBe('not_dropped by order')
  expect(close({ downSince: since, reportedUntil: since + DAY })).toBe('yes')
  expect(close({ downSince: since, reportedUntil: since + DAY, status: 5, closeTime: since })).toBe(over)
})

describe('extending', () => {
  const extend = (order: Order, seconds: number | undefined, now: number) => extendAnswer(order, 'buyer', seconds, now)
  test('allows at most 120 months ahead', () => {
    expect(extend(active, 118 * MONTH, START)).toBe('yes')
    expect(extend(active, 118 * MONTH + 1, START)).toEqual({ code: 'too_long', fact: 'order', mostSeconds: 118 * MONTH })
    const full = { ...active, duration: 120 * MONTH }
    expect(extend(full, undefined, START + 3_599)).toEqual({ code: 'too_long', fact: 'order', mostSeconds: 3_599 })
    expect(extend(full, undefined, START + 3_600)).toBe('yes')
  })
  test('refuses a node that is switched off, but not one that is no longer listed', () => {
    expect(extend({ ...active, node: { switchedOn: false } as Order['node'] }, 3_600, START)).toEqual({
      code: 'switched_off',
      fact: 'node',
    })
    expect(extend({ ...active, node: null }, 3_600, START)).toBe('yes')
  })
})
