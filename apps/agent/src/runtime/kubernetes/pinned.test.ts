import { expect, it } from 'vitest'
import { imageDigest } from '../../uptime/createPromises.ts'
import { pinned } from './pinned.ts'

const [earlier, newer] = ['ab'.repeat(32), 'cd'.repeat(32)] as const

it.each([
  [`ghcr.io/acme/app:2@sha256:${newer}`, earlier, `ghcr.io/acme/app:2@sha256:${earlier}`],
  [`ghcr.io/acme/app@sha256:${newer}`, earlier, `ghcr.io/acme/app@sha256:${earlier}`],
  ['ghcr.io/acme/app:2', earlier, `ghcr.io/acme/app:2@sha256:${earlier}`],
  [`ghcr.io/acme/app@sha256:${newer}`, undefined, `ghcr.io/acme/app@sha256:${newer}`],
])('names %s by the promised digest', (image, promised, name) => {
  expect(pinned(image, promised)).toBe(name)
  expect(imageDigest(name)).toBe(`0x${promised ?? newer}`)
})
