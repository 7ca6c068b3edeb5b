import { describe, expect, it } from 'vitest'
import { runCli } from '../testing/runCli.ts'

const COMMANDS = [
  'init',
  'start',
  'doctor',
  'register',
  'node add',
  'node edit',
  'node import',
  'node drain',
  'images',
  'self-test',
  'status',
]

describe('the help of the command line', () => {
  it.each([...COMMANDS, 'logs', 'halt', 'uptime', 'maintenance', 'withdraw', 'payout', 'prices', 'service'])(
    'explains %s',
    async (command) => {
      const { code, stdout } = await runCli([...command.split(' '), '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain(`Usage: rackfair-agent ${command}`)
      for (const flag of ['--config', '--json', '--yes']) expect(stdout).toContain(flag)
    },
  )
})
