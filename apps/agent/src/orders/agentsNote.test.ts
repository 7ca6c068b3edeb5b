import { parseApplication } from '@rackfair/app-spec/services/parseApplication'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { expect, it } from 'vitest'
import type { ChainOrder } from '../chain/read/chainView.ts'
import { loadCatalog } from '../presets/loadCatalog.ts'
import { ownApplication } from '../presets/ownApplication.ts'
import { agentsNote } from './agentsNote.ts'

const provider = `0x${'ab'.repeat(20)}` as const
const order = {
  ...{ id: 12n, user: `0x${'cd'.repeat(20)}`, provider, rate: 72n * ONE_CREDIT_WEI },
  ...{ activateTime: 1_795_219_200, duration: 7200 },
} as ChainOrder
const allowance = { cores: 1.5, memoryBytes: 1.5 * 2 ** 30, diskBytes: 40e9, gpus: [] }
const gpu = { id: 'a', vendor: 'nvidia', model: 'RTX 4090', memoryMb: 24_000, device: '0', card: '0' } as const
const preset = loadCatalog().get(2)
if (!preset) throw new Error('no nginx')

function own(given: object) {
  const { application, problems } = parseApplication(given)
  if (!application) throw new Error(JSON.stringify(problems))
  return ownApplication(application, { TOKEN: 'hidden', REGISTRY: 'key' })
}

it('says which order it is, what it may use, until when, what it costs, and how it is ended', () => {
  const note = agentsNote(order, { ...allowance, gpus: [gpu, { ...gpu, id: 'b' }] }, preset)
  for (const said of [
    'order 12 ',
    provider,
    'cores: 1.5\n',
    'Memory: 1.5 GiB',
    'Disk: 40 GB',
    'GPUs: 2, RTX 4090\n',
    'http 8080',
    'until 2026-11-21T02:00:00Z',
    'costs 0.1 USD an hour',
    'rackfair cp 12:',
    'rackfair logs 12 ',
    'rackfair exec 12 ',
    'rackfair cancel 12 ',
  ])
    expect(note).toContain(said)
  const before = agentsNote({ ...order, activateTime: 0 }, allowance, preset)
  expect(before).toContain('GPUs: none')
  expect(before).toContain('paid for 2 hours from the moment')
})

it('names the services that find each other, and the end of a job', () => {
  const shop = own({
    services: {
      web: { image: 'docker.io/acme/web:1', ports: [{ protocol: 'http', port: 8000 }] },
      db: { image: 'docker.io/acme/db:1' },
    },
  })
  expect(agentsNote(order, allowance, shop)).toMatch(/by name: (web, db|db, web)\n/)
  const job = { image: 'docker.io/acme/job:1', job: 'cancel' }
  expect(agentsNote(order, allowance, own(job))).toContain('This is a job')
})

it('tells nothing of who rents, and no value that the application was given', () => {
  const note = agentsNote(
    order,
    allowance,
    own({
      image: 'docker.io/acme/web:1',
      env: { PLAIN: 'value of the application' },
      secrets: ['TOKEN'],
      registry: { username: 'acme', password: 'REGISTRY' },
    }),
  )
  for (const never of [order.user, 'hidden', 'value of the application', 'acme', 'TOKEN', 'REGISTRY'])
    expect(note).not.toContain(never)
})
