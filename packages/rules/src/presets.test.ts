import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { expect, test } from 'vitest'
import { PRESET_IDS } from './presets.ts'

test('reserves a deploy id for own applications that no preset has and the signed text can carry', () => {
  expect(Object.values(PRESET_IDS)).not.toContain(OWN_APP_DEPLOY_ID)
  expect(String(OWN_APP_DEPLOY_ID)).toMatch(/^\d{1,3}$/)
})
