import { isLikelySecret } from '@rackfair/app-spec/services/shareable'
import type { AppForm, EnvRow } from './appForm.ts'

/** Values that stand readable in the file and are called as one that should not. */
export function likelySecrets(form: AppForm): readonly EnvRow[] {
  return form.env.filter(({ name, value, secret }) => !secret && isLikelySecret(name, value))
}

/** The form with these rows as secrets, their values as they are. */
export const withSecrets = (form: AppForm, rows: readonly EnvRow[]): AppForm => ({
  ...form,
  env: form.env.map((row) => (rows.includes(row) ? { ...row, secret: true } : row)),
})
