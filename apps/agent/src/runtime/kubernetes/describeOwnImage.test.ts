import { asApplication } from '@rackfair/app-spec/services/Application'
import { expect, it } from 'vitest'
import { ownApplication } from '../../presets/ownApplication.ts'
import { OWN_IMAGES } from '../ownImageRules.ts'
import { createRegistryClient } from '../registry/createRegistryClient.ts'
import { describeOwnImage } from './describeOwnImage.ts'

it('refuses to start an image without its own arguments, which a pod cannot', async () => {
  const registry = createRegistryClient({ local: [] })
  const { app } = ownApplication(
    asApplication({ image: 'docker.io/a/b:1', args: [], env: {}, secrets: [], ports: [], volumes: [] }),
    {},
  )
  await expect(describeOwnImage(registry, OWN_IMAGES, { app, known: undefined, maxBytes: 1 })).rejects.toMatchObject({
    code: 'app_malformed',
  })
})
