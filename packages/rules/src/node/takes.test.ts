import { expect, test } from 'vitest'
import { imageState } from './takes.ts'

const built = { name: 'nginx', image: 'localhost/rackfair/nginx' }
const fetched = { name: 'redis', image: 'docker.io/library/redis' }

test('an image is ready, built on demand or missing once the agent has reported', () => {
  expect(imageState(built, undefined)).toBeUndefined()
  expect(imageState(built, {})).toBeUndefined()
  expect(imageState(built, { ready: ['nginx'] })).toBe('ready')
  expect(imageState(built, { ready: ['redis'] })).toBe('built_first')
  expect(imageState(fetched, { ready: ['nginx'] })).toBe('missing')
  expect(imageState({ name: 'x', image: 'evil.example/localhost/rackfair/' }, { ready: [] })).toBe('missing')
})
