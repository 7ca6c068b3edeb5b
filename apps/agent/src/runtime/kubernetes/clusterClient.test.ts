import { expect, it } from 'vitest'
import { refuseOld } from './clusterClient.ts'

it.each(['20', '29', '20+', '133'])('takes a cluster of minor version %s', (minor) => {
  expect(() => refuseOld({ major: '1', minor, gitVersion: `v1.${minor}.0` })).not.toThrow()
})

it('says of a cluster that is too old, or says nothing of itself, from which version on orders can run', () => {
  expect(() => refuseOld({ major: '1', minor: '19+', gitVersion: 'v1.19.16' })).toThrow(
    'the cluster is v1.19.16; from v1.20 on orders can run. Nothing was changed in it',
  )
  expect(() => refuseOld({ major: '1', minor: 'x', gitVersion: 'x'.repeat(1000) })).toThrow(/^the cluster is x{64}; /)
  expect(() => refuseOld(undefined)).toThrow('the cluster is of no known version')
})
