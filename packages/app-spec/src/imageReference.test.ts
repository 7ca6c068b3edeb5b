import { expect, it } from 'vitest'
import { formatImage, parseImage } from './imageReference.ts'

it.each([
  ['index.docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['INDEX.docker.io/nginx:1', 'docker.io/library/nginx:1'],
  ['index.docker.io/acme/app', 'docker.io/acme/app:latest'],
  ['registry-1.docker.io/library/nginx', 'docker.io/library/nginx:latest'],
  ['registry.hub.docker.com/nginx', 'docker.io/library/nginx:latest'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['index.docker.io.example.org/nginx', 'index.docker.io.example.org/nginx:latest'],
])('takes %s for %s', (text, name) => {
  const image = parseImage(text)
  expect(image && formatImage(image)).toBe(name)
})
