import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { answerError } from './answerError.ts'
import type { Call } from './defineRoute.ts'

/** SQLite's own errors; what it says of a full disk, it says of a file that may not grow. */
function sqliteErrors() {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'db')
  const [one, other] = [new DatabaseSync(file), new DatabaseSync(file)]
  onTestFinished(() => {
    one.close()
    other.close()
  })
  one.exec('create table t (a blob)')
  const errorOf = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return error
    }
    throw new Error('it did not fail')
  }
  one.exec('pragma max_page_count = 2')
  const full = errorOf(() => one.exec('insert into t values (randomblob(100000))'))
  one.exec('begin immediate')
  const busy = errorOf(() => other.exec('insert into t values (1)'))
  return { full, busy, wrong: errorOf(() => other.exec('select b from t')) }
}

const answerTo = async (error: unknown) => {
  const app = new Hono()
  app.get('/', () => {
    throw error
  })
  app.onError((caught, call) => answerError(caught, call as unknown as Call, pino({ level: 'silent' })))
  const answer = await app.request('/')
  return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() }
}

it('asks to try again while the database takes nothing, and says of a fault that it is logged', async () => {
  const { full, busy, wrong } = sqliteErrors()
  const postgresFull = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  for (const error of [full, busy, postgresFull])
    expect(await answerTo(error)).toMatchObject({ status: 503, retry: '1', body: { code: 'not_ready' } })
  expect(await answerTo(wrong)).toMatchObject({ status: 500, body: { code: 'internal' } })
})
