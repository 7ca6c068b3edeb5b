import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const TAKE_PORTS = `
  import { freePorts } from ${JSON.stringify(new URL('freePort.ts', import.meta.url).href)}
  console.log(JSON.stringify(await freePorts(1000)))
  process.stdin.resume()
`

it('reserves a port for one process while that runs', async () => {
  const takers = Array.from({ length: 2 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', TAKE_PORTS]))
  try {
    const ports = await Promise.all(
      takers.map(async ({ child: { stdout } }) => {
        let printed = ''
        for await (const chunk of stdout ?? []) {
          printed += chunk
          if (printed.endsWith('\n')) break
        }
        return JSON.parse(printed) as number[]
      }),
    )
    // Two processes that independently choose 1,000 of 20,000 ports would share 50 on average.
    expect(new Set(ports.flat()).size).toBe(2000)
  } finally {
    for (const { child } of takers) child.stdin?.end()
    await Promise.all(takers)
  }
})
