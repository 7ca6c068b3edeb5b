import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { bridgeName, newInstance } from './names.ts'
import { removeBridges } from './orderBridge.ts'

const reason = process.getuid?.() === 0 && spawnSync('ip', ['link', 'show']).status === 0 ? undefined : 'bridges need root'

it.skipIf(reason)(`takes away the bridges of one agent, and no other's (${reason ?? 'here'})`, async () => {
  const [mine, other] = [newInstance(), newInstance()]
  const there = async (name: string) => (await runCommand('ip', ['link', 'show', 'dev', name])).code === 0
  const names = [bridgeName(mine, 0), bridgeName(mine, 255), bridgeName(other, 0)]
  try {
    for (const name of names) await runCommand('ip', ['link', 'add', name, 'type', 'bridge'])
    expect(await Promise.all(names.map(there))).toEqual([true, true, true])
    await removeBridges(mine)
    expect(await Promise.all(names.map(there))).toEqual([false, false, true])
  } finally {
    await removeBridges(other)
  }
})
