import { expect, it } from 'vitest'
import { runCommand } from './runCommand.ts'
import { sbinBeside } from './sbinBeside.ts'

it.each([
  ['/usr/local/bin:/usr/bin:/bin', '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin'],
  ['/usr/sbin:/usr/bin', '/usr/sbin:/usr/bin'],
  ['/opt/tools:/usr/bin/', '/opt/tools:/usr/bin/:/usr/sbin'],
  ['/opt/tools', '/opt/tools'],
  ['', ''],
  [undefined, ''],
])('makes of %s %s', (path, expected) => {
  expect(sbinBeside(path)).toBe(expected)
})

it('has the agent find programs of the administrator, started from a shell without them', async () => {
  const main = new URL('../main.ts', import.meta.url).pathname
  const start = `process.argv = [process.execPath, ${JSON.stringify(main)}, '--help']
    process.on('exit', () => console.error('PATH is ' + process.env.PATH))
    await import(${JSON.stringify(main)})`
  const env = { HOME: process.env.HOME, PATH: '/usr/bin:/bin' }
  const { stderr } = await runCommand(process.execPath, ['--input-type=module', '--eval', start], { env })
  expect(stderr).toContain('PATH is /usr/bin:/bin:/usr/sbin:/sbin')
})
