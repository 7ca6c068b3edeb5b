import { describe, expect, it } from 'vitest'
import { type Known, type Observed, planRest, planRun, wantedOf } from './plan.ts'

const CLEAN = 0
const NGINX = 2
const START = ['getImage', 'create', 'start', 'awaitAnswer', 'noteRun', 'settle']
const START_OWN = ['getImage', 'create', 'start', 'openPorts', 'awaitAnswer', 'noteRun', 'settle']
const START_JOB = ['getImage', 'create', 'start', 'openPorts', 'watchJob', 'noteRun', 'settle']

describe('the desired state of an order', () => {
  const known: Known = {
    command: { deployId: NGINX, endedAt: undefined, stopped: false },
    phase: 'Running',
    hasExit: false,
    isOrderKnown: true,
    isPaused: false,
  }
  const ended = { ...known.command, endedAt: 1 }
  it.each([
    ['an application', {}, 'running'],
    [
      'its end on the chain, whatever else is known',
      { command: { ...ended, stopped: true }, phase: 'Failed', isPaused: true },
      'ended',
    ],
    ['its end, also before the chain was read again', { command: ended, isOrderKnown: false }, 'ended'],
    ['nothing before the chain was read once', { isOrderKnown: false }, 'nothing'],
    [
      'a clean, also of what failed and was stopped',
      { command: { ...known.command, deployId: CLEAN, stopped: true }, phase: 'Failed' },
      'cleaned',
    ],
    ['no more of what failed to start', { phase: 'Failed', isPaused: true }, 'halted'],
    [
      'rest, once its renter stopped it, also of a job that has ended',
      { command: { ...known.command, stopped: true }, hasExit: true },
      'stopped',
    ],
    ['nothing while a failed start has to wait', { isPaused: true, hasExit: true }, 'nothing'],
    ['a job that has ended', { hasExit: true }, 'finished'],
  ] as const)('%s', (_name, change, wanted) => {
    expect(wantedOf({ ...known, ...change })).toBe(wanted)
  })
})

describe('the plan to stop an order', () => {
  it.each([
    ['nothing', {}, []],
    ['ended', {}, ['close', 'stop']],
    ['ended', { isWipeDue: true }, ['close', 'stop', 'wipe', 'tellClosed']],
    ['cleaned', {}, ['close', 'tellCleaning', 'wipe', 'tellCleaned']],
    ['halted', {}, ['close', 'stop']],
    ['stopped', {}, ['close', 'stop', 'tellStopped']],
    ['finished', {}, ['close', 'tellFinished', 'keepFiles']],
    ['finished', { isLive: false }, ['close', 'tellFinished', 'stop']],
  ] as const)('%s %o', (wanted, change, steps) => {
    expect(planRest(wanted, { isLive: true, isWipeDue: false, ...change })).toEqual(steps)
  })

  it('wipes only after a clean, or after an end that is final on chain', () => {
    for (const wanted of ['nothing', 'ended', 'halted', 'stopped', 'finished'] as const)
      for (const isLive of [true, false]) expect(planRest(wanted, { isLive, isWipeDue: false })).not.toContain('wipe')
  })
})

describe('the plan to run an application', () => {
  const workload = { deploymentId: 'd1', running: true, exitCode: 0, outOfMemory: false, endedAt: undefined }
  const earlier = { ...workload, deploymentId: 'd0' }
  const exited = { ...workload, running: false, exitCode: 1, endedAt: 5 }
  const first: Observed = {
    command: { deploymentId: 'd1', hasRun: false },
    kind: 'preset',
    phase: 'Accepted',
    isLive: true,
    workload: undefined,
    hasData: false,
    keepsEarlier: false,
    aside: undefined,
    answers: undefined,
    silence: { probes: 1, forMs: 0 },
    lacksService: false,
    startDeadlineMs: 60_000,
  }
  const ran: Observed = { ...first, command: { deploymentId: 'd1', hasRun: true }, phase: 'Running' }
  const silent = (probes: number, forMs: number) => ({ ...ran, workload, answers: false, silence: { probes, forMs } })

  const UPDATE = ['setEarlierAside', ...START.slice(1, -1), 'dropEarlier', 'settle']
  const TABLE: [string, Observed, string[]][] = [
    ['starts a first one', first, ['forgetUpstream', ...START]],
    ['starts an own one with its ports', { ...first, kind: 'own' }, ['forgetUpstream', ...START_OWN]],
    ['starts a job and awaits no answer of it', { ...first, kind: 'job' }, ['forgetUpstream', ...START_JOB]],
    ['starts nothing of an order that is over', { ...first, isLive: false }, ['forgetUpstream']],
    ['goes on where a crash left a start', { ...first, phase: 'Starting', workload }, START],
    [
      'leaves the deployment before it running until it has its image',
      { ...first, workload: earlier, keepsEarlier: true },
      ['keepEarlier', 'getImage', ...UPDATE],
    ],
    [
      'and, of the renter’s own, until all is there that can be made beside it',
      { ...first, kind: 'own', workload: earlier, keepsEarlier: true },
      ['keepEarlier', 'getImage', 'prepare', 'setEarlierAside', ...START_OWN.slice(1, -1), 'dropEarlier', 'settle'],
    ],
    [
      'and its data, where that one is stopped',
      { ...first, workload: { ...earlier, running: false }, keepsEarlier: true },
      ['forgetUpstream', 'getImage', ...UPDATE],
    ],
    [
      'and its data, where its container is gone',
      { ...first, hasData: true, keepsEarlier: true },
      ['forgetUpstream', 'getImage', ...UPDATE],
    ],
    [
      'goes on with what replaces another, where a crash or a failure left it',
      { ...first, phase: 'Starting', workload, keepsEarlier: true, aside: 'd0' },
      ['getImage', ...UPDATE.slice(1)],
    ],
    [
      'drops what it replaced once it runs',
      { ...ran, workload, answers: true, keepsEarlier: true },
      ['dropEarlier', 'noteUpstream', 'settle'],
    ],
    [
      'takes back what was to be replaced',
      { ...ran, workload: { ...workload, deploymentId: 'd2' }, aside: 'd1' },
      ['takeBack', ...START],
    ],
    ['but starts nothing of an order that is over', { ...ran, isLive: false, aside: 'd1' }, ['takeBack']],
    [
      'keeps nothing beside a job',
      { ...first, kind: 'job', workload: earlier, keepsEarlier: true },
      ['keepEarlier', 'getImage', 'removeEarlier', ...START_JOB.slice(1)],
    ],
    ['replaces one of another owner at once', { ...first, workload: earlier }, ['removeEarlier', ...START]],
    ['leaves the one before it running when the order is over', { ...first, workload: earlier, isLive: false }, []],
    ['clears what an earlier one left', { ...first, hasData: true }, ['forgetUpstream', 'removeEarlier', ...START]],
    ['keeps its own data when its container is gone', { ...ran, hasData: true }, ['forgetUpstream', ...START]],

    ['leaves what answers', { ...ran, workload, answers: true }, ['noteUpstream', 'settle']],
    [
      'opens the ports of what answers',
      { ...ran, kind: 'own', workload, answers: true },
      ['noteUpstream', 'openPorts', 'settle'],
    ],
    ['asks no job for an answer', { ...ran, kind: 'job', workload }, ['noteUpstream', 'openPorts', 'watchJob', 'settle']],
    [
      'starts again what has ended beside the main service',
      { ...ran, kind: 'own', workload, answers: true, lacksService: true },
      ['tellServiceExit', 'getImage', 'create', 'start', 'noteUpstream', 'openPorts', 'settle'],
    ],
    [
      'but not on an order that is over',
      { ...ran, kind: 'own', workload, answers: true, lacksService: true, isLive: false },
      ['tellServiceExit', 'noteUpstream', 'openPorts', 'settle'],
    ],
    ['forgives one probe without an answer', silent(1, 0), ['noteUpstream', 'noteSilence']],
    ['tells of the second', silent(2, 1000), ['noteUpstream', 'noteSilence', 'tellSilence']],
    ['waits as long as a start may take', silent(9, 59_999), ['noteUpstream', 'noteSilence', 'tellSilence']],
    ['and for six probes', silent(5, 99_999), ['noteUpstream', 'noteSilence', 'tellSilence']],
    ['then starts it again', silent(6, 60_000), ['noteUpstream', 'noteSilence', 'tellSilence', 'stopSilent', ...START]],
    ['but not on an order that is over', { ...silent(6, 60_000), isLive: false }, ['noteUpstream', 'noteSilence', 'tellSilence']],

    ['starts again what ended, and says how', { ...ran, workload: exited }, ['forgetUpstream', 'noteExit', 'tellExit', ...START]],
    ['calls a quiet end no failure', { ...ran, workload: { ...exited, exitCode: 0 } }, ['forgetUpstream', 'noteExit', ...START]],
    [
      'but one by lack of memory',
      { ...ran, workload: { ...exited, exitCode: 0, outOfMemory: true } },
      ['forgetUpstream', 'noteExit', 'tellExit', ...START],
    ],
    [
      'says nothing of an end that its renter asked for',
      { ...ran, phase: 'Starting', workload: exited },
      ['forgetUpstream', ...START],
    ],
    [
      'says how it ended also when the order is over',
      { ...ran, workload: exited, isLive: false },
      ['forgetUpstream', 'noteExit', 'tellExit'],
    ],

    ['ends a job', { ...ran, kind: 'job', workload: exited }, ['endJob']],
    [
      'ends a job that was not seen running',
      { ...first, kind: 'job', phase: 'Starting', workload: exited },
      ['noteRun', 'settle', 'endJob'],
    ],
    [
      'ends no job that its renter starts anew',
      { ...ran, kind: 'job', phase: 'Starting', workload: exited },
      ['forgetUpstream', ...START_JOB],
    ],
    [
      'takes no container that never ran for a job that ended',
      { ...first, kind: 'job', phase: 'Creating', workload: { ...exited, endedAt: undefined } },
      ['forgetUpstream', 'noteExit', ...START_JOB],
    ],
  ]
  it.each(TABLE)('%s', (_name, observed, steps) => {
    expect(planRun(observed)).toEqual(steps)
  })

  it('stops nothing that it keeps before the image is there, for every combination of observations', () => {
    for (const kind of ['preset', 'own', 'job'] as const)
      for (const hasData of [true, false])
        for (const phase of ['Accepted', 'Pulling'] as const)
          for (const workload of [undefined, earlier, { ...earlier, running: false, endedAt: 5 }]) {
            const plan = planRun({ ...first, kind, phase, workload, hasData: hasData && !workload, keepsEarlier: true })
            const gone = kind === 'job' ? 'removeEarlier' : 'setEarlierAside'
            const last = plan.includes('prepare') ? 'prepare' : 'getImage'
            expect(plan.indexOf(gone)).toBe(plan.indexOf(last) + 1)
            expect(plan.indexOf('getImage')).toBeLessThan(plan.indexOf(gone))
            expect(plan.indexOf('create')).toBe(plan.indexOf(gone) + 1)
          }
  })

  it('removes data of another deployment only, for every combination of observations', () => {
    for (const hasRun of [true, false])
      for (const hasData of [true, false])
        for (const isLive of [true, false])
          for (const seen of [undefined, workload, earlier, exited]) {
            const observed = {
              ...first,
              command: { deploymentId: 'd1', hasRun },
              workload: seen,
              hasData: hasData && !seen,
              isLive,
            }
            const isAnothers = seen ? seen.deploymentId !== 'd1' : hasData && !hasRun
            expect([observed, planRun(observed).includes('removeEarlier')]).toEqual([observed, isAnothers && isLive])
          }
  })
})
