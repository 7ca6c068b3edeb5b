import { monitorsAbi, registryAbi } from '@rackfair/contracts'
import { encodeErrorResult, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { toAppError } from './toAppError.ts'

const refusal = (data: Hex) => toAppError(Object.assign(new Error('execution reverted'), { data }))

it('reads the errors of Monitors, with their facts', () => {
  const tooSoon = encodeErrorResult({ abi: monitorsAbi, errorName: 'MaintenanceTooSoon', args: [7n, 1_796_090_400n] })
  expect(refusal(tooSoon)).toMatchObject({ code: 'MaintenanceTooSoon', facts: { firstEpoch: '7', earliest: '1796090400' } })
  const bonded = encodeErrorResult({ abi: monitorsAbi, errorName: 'StillBonded', args: [2 ** 40 - 1] })
  expect(refusal(bonded)).toMatchObject({ code: 'StillBonded', facts: { until: 2 ** 40 - 1 } })
})

it('tells two errors of one name apart', () => {
  const ofRegistry = encodeErrorResult({ abi: registryAbi, errorName: 'TooManyNodes', args: [16n] })
  expect(refusal(ofRegistry)).toMatchObject({ code: 'TooManyNodes', facts: { max: '16' }, message: 'TooManyNodes(16)' })
  const ofMonitors = encodeErrorResult({ abi: monitorsAbi, errorName: 'TooManyNodes', args: [51n, 50n] })
  expect(refusal(ofMonitors)).toMatchObject({ code: 'TooManyNodes', facts: { nodes: '51', max: '50' } })
})
