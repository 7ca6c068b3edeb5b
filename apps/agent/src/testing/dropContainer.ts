import type { Container } from 'dockerode'
import { expect } from 'vitest'

/** Removes a container behind the agent's back. The engine unmounts after its response, so a busy filesystem is free a moment later. */
export async function dropContainer(container: Pick<Container, 'remove'>): Promise<void> {
  const drop = () =>
    container.remove({ force: true }).then(
      () => 'gone',
      (error: { statusCode?: number }) => (error.statusCode === 404 ? 'gone' : String(error)),
    )
  await expect.poll(drop, { interval: 100, timeout: 10_000 }).toBe('gone')
}
