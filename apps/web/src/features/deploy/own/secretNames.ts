import type { AppForm, EnvRow } from './appForm.ts'

/** What values are called that open something: `API_TOKEN`, `DB_PASSWORD`, `AWS_SECRET_ACCESS_KEY`, not `TOKENIZERS_PARALLELISM` or `KEYBOARD`. */
const SECRET =
  /(?:^|_)(?:TOKENS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PWD|SECRETS?|CREDENTIALS?|(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH|MASTER|LICENSE)_?KEYS?)(?:$|_(?:KEY|VALUE|ID|\d+)$)/i

/** Values that stand readable in the file and are called as one that should not. A path or a switch opens nothing. */
export function likelySecrets(form: AppForm): readonly EnvRow[] {
  return form.env.filter(
    ({ name, value, secret }) =>
      !secret && SECRET.test(name) && value.length >= 4 && !/^(?:true|false|none|\/.*|\$.*)$/i.test(value),
  )
}

/** The form with these rows as secrets, their values as they are. */
export const withSecrets = (form: AppForm, rows: readonly EnvRow[]): AppForm => ({
  ...form,
  env: form.env.map((row) => (rows.includes(row) ? { ...row, secret: true } : row)),
})
