import { existsSync } from 'node:fs'
import { PRESET_IDS } from '@rackfair/rules/presets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRESETS_FOLDER } from '../../presets/loadCatalog.ts'
import { IMAGE_CACHE } from '../../testing/setupAgent.ts'
import { setupRuntime, type TestRuntime } from '../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { rootfsFile } from './buildImage.ts'
import { recipeOf } from './imageRecipe.ts'

const reasonFor = (name: string): string | undefined => {
  const local = recipeOf(`localhost/rackfair/${name}`, PRESETS_FOLDER)
  if (local && !existsSync(rootfsFile(local, IMAGE_CACHE))) return 'its image is built in a deep run only'
  return whyNoContainers()
}
const PASSWORD = 'a-long-password'
const PSQL = '/usr/lib/postgresql/15/bin/psql'

describe('an application of the catalogue whose image is large', () => {
  let market: TestRuntime
  beforeAll(async () => {
    if (!whyNoContainers()) market = await setupRuntime()
  })
  afterAll(() => market?.close())

  it.skipIf(reasonFor('postgresql'))('keeps a database for whoever has its password, over TLS, and nobody else', async () => {
    const { postgresql } = PRESET_IDS
    const env = { POSTGRES_PASSWORD: PASSWORD }
    const address = await market.run(1n, postgresql, { diskBytes: 2 ** 29 }, env)
    const ask = async (sql: string, password: string) => {
      const line = `PGPASSWORD=${password} ${PSQL} 'host=${address} user=postgres sslmode=require' -tAc "${sql}"`
      return (await market.inside(1n, line)).output
    }
    expect(await ask('create table kept (a int); insert into kept values (41)', PASSWORD)).toContain('INSERT 0 1')
    expect(await ask('select 1', 'guessed')).toContain('authentication failed')
    await market.runtime.stop(1n)
    const again = await market.run(1n, postgresql, { diskBytes: 2 ** 29 }, env)
    expect(again).toBe(address)
    expect(await ask('select a + 1 from kept', PASSWORD)).toContain('42')
  })

  it.skipIf(reasonFor('desktop'))('shows a desktop at the page that the gateway visits', async () => {
    const address = await market.run(2n, PRESET_IDS.desktop, { memoryBytes: 2 ** 30 })
    expect(await (await fetch(`http://${address}:6080/vnc.html`)).text()).toContain('noVNC')
    const line = new WebSocket(`ws://${address}:6080/websockify`, 'binary')
    line.binaryType = 'arraybuffer'
    const said = await new Promise<ArrayBuffer>((resolve, reject) => {
      line.onmessage = ({ data }) => resolve(data)
      line.onerror = () => reject(new Error('no answer'))
    })
    line.close()
    expect(new TextDecoder().decode(said)).toContain('RFB 003.008')
    await expect
      .poll(async () => (await market.inside(2n, 'pgrep -x openbox && pgrep -x tint2')).code, { timeout: 60_000 })
      .toBe(0)
  })
})
