import { agentMessage } from '@rackfair/protocol/relay'
import { expect, it } from 'vitest'
import { announcedMachine } from './announcedMachine.ts'

const hardware = {
  cpu: { model: 'AMD EPYC 7763', processors: 2, coresPerProcessor: 64 },
  ...{ memoryGb: 255, diskGb: 4_000, diskMostGb: 4_100, gpus: [], architecture: 'x64', freeMemoryBytes: 2 ** 37 },
}
const takes = { ownImages: null, ports: false, ssh: false, protected: false, runtimes: [] }

it('names the driver and the country where there are any, in words that every platform takes', () => {
  const plain = announcedMachine({}, hardware, takes)
  expect(Object.keys(plain)).not.toContain('region')
  expect(Object.keys(plain)).not.toContain('driver')
  const machine = announcedMachine({ region: 'DE' }, { ...hardware, driver: '550.90.07' }, takes)
  expect(machine).toEqual({ ...plain, region: 'DE', driver: '550.90.07' })
  expect(agentMessage.parse({ type: 'heartbeat', machine })).toEqual({ type: 'heartbeat', machine })
})

it.each([
  ['region', 'Germany'],
  ['region', '<b>'],
  ['driver', '550; rm'],
  ['driver', '5'.repeat(1_000)],
])('no platform takes the %s %s', (name, value) => {
  const machine = { ...announcedMachine({}, hardware, takes), [name]: value }
  expect(agentMessage.safeParse({ type: 'heartbeat', machine }).success).toBe(false)
})
