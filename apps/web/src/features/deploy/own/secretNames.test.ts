import { expect, it } from 'vitest'
import { EMPTY_FORM, readForm } from './appForm.ts'
import { likelySecrets, withSecrets } from './secretNames.ts'

const formWith = (env: Record<string, string>) => ({
  ...EMPTY_FORM,
  image: 'ghcr.io/acme/shop:1',
  env: Object.entries(env).map(([name, value], key) => ({ key, name, value, secret: false })),
})

it.each([
  ['API_TOKEN', 'abc123', true],
  ['HF_TOKEN', 'hf_abcdef', true],
  ['POSTGRES_PASSWORD', 'hunter2', true],
  ['MYSQL_ROOT_PASSWORD', 'hunter2', true],
  ['AWS_SECRET_ACCESS_KEY', 'wJalr', true],
  ['OPENAI_API_KEY', 'sk-abc', true],
  ['apikey', 'abcdef', true],
  ['CLIENT_SECRET', 'abcdef', true],
  ['TOKENIZERS_PARALLELISM', 'false', false],
  ['MAX_TOKENS_OUT', '4096', false],
  ['KEYBOARD', 'qwertz', false],
  ['PASSWORD_FILE', '/run/secrets/db', false],
  ['POSTGRES_PASSWORD', '/run/secrets/db', false],
  ['DB_PASSWORD', '', false],
  ['USE_TOKEN', 'true', false],
  ['PATH', '/usr/bin', false],
])('%s=%s is likely a secret: %s', (name, value, isLikely) => {
  expect(likelySecrets(formWith({ [name]: value })).length > 0).toBe(isLikely)
})

it('moves values out of the file that is signed, and keeps them', () => {
  const form = formWith({ API_TOKEN: 'abc123', MODE: 'fast' })
  const { spec, values } = readForm(withSecrets(form, likelySecrets(form)))
  expect(spec?.env).toEqual({ MODE: 'fast' })
  expect(spec?.secrets).toEqual(['API_TOKEN'])
  expect(values).toEqual({ API_TOKEN: 'abc123' })
  expect(likelySecrets(withSecrets(form, likelySecrets(form)))).toEqual([])
})
