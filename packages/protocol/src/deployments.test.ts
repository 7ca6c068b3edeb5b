import { expect, test } from 'vitest'
import { deploymentShape, readDeployment } from './deployments.ts'
import { zodOf } from './zodOf.ts'

const HASH = `0x${'ab'.repeat(32)}`
const STEP = { phase: 'Failed', at: 1_800_000_000_000, code: 'image_not_found', message: 'no such image' }
const DETAILS = {
  ...{ image: 'redis:7@sha256:ab', pull: { bytes: 1, totalBytes: 2, layers: 1, totalLayers: 3 }, buildLine: 'unpacking' },
  ports: [{ protocol: 'tcp', port: 6379, outside: 40_001 }],
  promise: { deployment: HASH, spec: HASH, image: HASH, signature: `0x${'cd'.repeat(65)}` },
  ...{ notes: [{ code: 'root', value: 'root' }], job: 'keep', exit: { code: 137, outOfMemory: true } },
  waiting: { port: 8188, listens: [{ address: '127.0.0.1', port: 8188 }] },
}
const answer = (changes: object = {}) => ({
  ...{ id: 'd-1', orderId: '12', deployId: 999, user: `0x${'AA'.repeat(20)}`, provider: `0x${'bb'.repeat(20)}` },
  ...{ phase: 'Failed', steps: [STEP], requestedAt: 1_799_999_999_000, visitUrl: null, details: DETAILS },
  ...changes,
})
const withDetails = (changes: object) => answer({ details: { ...DETAILS, ...changes } })

test('parses everything that the platform’s schema accepts', () => {
  const read = readDeployment(zodOf(deploymentShape).parse(answer()))
  expect(read).toEqual({ ...answer(), orderId: 12n, user: `0x${'aa'.repeat(20)}` })
  expect(readDeployment(answer({ details: undefined, visitUrl: 'http://127.0.0.1/12/' })).details).toBeUndefined()
})

test.each([
  ['a phase that nobody knows', answer({ phase: 'Flying' }), 'deployment.phase'],
  ['an order that is none', answer({ orderId: '12n' }), 'deployment.orderId'],
  ['steps without end', answer({ steps: Array(101).fill(STEP) }), 'deployment.steps'],
  ['a step at no time', answer({ steps: [{ ...STEP, at: 8.65e15 }] }), 'deployment.steps.at'],
  ['a code of a million characters', answer({ steps: [{ ...STEP, code: 'x'.repeat(1_000_000) }] }), 'deployment.steps.code'],
  ['a page that is no address', answer({ visitUrl: {} }), 'deployment.visitUrl'],
  ['less than nothing fetched', withDetails({ pull: { ...DETAILS.pull, bytes: -1 } }), 'deployment.details.pull.bytes'],
  [
    'a port beyond the last',
    withDetails({ ports: [{ ...DETAILS.ports[0], outside: 65_536 }] }),
    'deployment.details.ports.outside',
  ],
  ['a place that is none', withDetails({ waiting: { port: 1, listens: [{}] } }), 'deployment.details.waiting.listens.address'],
  ['half a promise', withDetails({ promise: { ...DETAILS.promise, image: '0xab' } }), 'deployment.details.promise.image'],
  [
    'a promise unsigned',
    withDetails({ promise: { ...DETAILS.promise, signature: '0x' } }),
    'deployment.details.promise.signature',
  ],
  ['an exit that no program has', withDetails({ exit: { code: 256, outOfMemory: false } }), 'deployment.details.exit.code'],
])('%s is refused', (_, json, field) => expect(() => readDeployment(json)).toThrow(`cannot be read: ${field}`))
