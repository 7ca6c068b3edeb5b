import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { DeploymentProgress } from './DeploymentProgress.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('shows the line of the build, the elapsed and the usual seconds of a first deploy', () => {
  vi.useFakeTimers({ now: 1_790_000_070_000 })
  const { container, rerender } = render(<DeploymentProgress deployment={pulling('extracting archives\u202e')} />)
  expect(container.textContent).toContain('extracting archives')
  expect(container.textContent).not.toContain('\u202e')
  expect(container.textContent).toContain('1m 10s so far, one to three minutes is usual')
  act(() => void vi.advanceTimersByTime(3000))
  expect(container.textContent).toContain('1m 13s so far')
  const large = <DeploymentProgress deployment={pulling('extracting archives')} preset={{ imageMb: 1160 }} />
  rerender(large)
  expect(container.textContent).toContain('1m 13s so far, three to ten minutes is usual')
  rerender(<DeploymentProgress deployment={pulling(undefined)} />)
  expect(container.textContent).not.toContain('so far')
})

test('says what is seen of an application that does not answer', () => {
  const starting = (listens?: { address: string; port: number }[]): Deployment => ({
    ...pulling(undefined),
    ...{ phase: 'Starting', steps: [{ phase: 'Starting', at: 1_790_000_000_000 }] },
    details: { waiting: { port: 8188, listens } },
  })
  const { container, rerender } = render(<DeploymentProgress deployment={starting([{ address: '127.0.0.1', port: 8188 }])} />)
  expect(container.textContent).toContain('listens at 127.0.0.1:8188, for itself only: let it listen at 0.0.0.0.')
  rerender(<DeploymentProgress deployment={starting()} />)
  expect(container.textContent).toContain('Nothing answers at port 8188 yet.')
})

function pulling(buildLine: string | undefined): Deployment {
  const owner = `0x${'11'.repeat(20)}` as LowerCaseAddress
  return {
    ...{ id: 'a', orderId: 1n, deployId: 2, user: owner, provider: owner, phase: 'Pulling', visitUrl: null },
    ...{ requestedAt: 1_790_000_000_000, steps: [{ phase: 'Pulling', at: 1_790_000_000_000 }] },
    ...(buildLine === undefined ? {} : { details: { buildLine } }),
  }
}
