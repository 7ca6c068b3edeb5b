import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export type Killable = ReturnType<typeof startKillable>

/** A program of this folder in a process of its own that is killed with SIGKILL and restarted on the same files. */
export function startKillable(name: 'monitorProcess' | 'agentProcess', args: readonly string[]) {
  const main = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  let child: ChildProcess | undefined
  let kills = 0

  const answer = (from: ChildProcess) =>
    new Promise<string>((resolve) => {
      from.once('message', (message) => resolve(String(message)))
      from.once('exit', () => resolve('killed'))
    })
  const start = async (): Promise<ChildProcess> => {
    const started = fork(main, [...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    if ((await answer(started)) !== 'ready') throw new Error(`${name} did not start`)
    child = started
    return started
  }
  const kill = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGKILL')
    await gone
    kills += 1
  }
  return {
    kill,
    /** Sends an instruction during which the program is killed, by itself or by whoever it asks. */
    async dies(order: object): Promise<void> {
      const told = child ?? (await start())
      const answered = answer(told)
      told.send(order)
      const said = await answered
      if (said !== 'killed') throw new Error(`${name}: ${said}`)
      if (child === told) kills += 1
      child = undefined
    },
    get kills() {
      return kills
    },
    /**
     * Sends an instruction. With `killAfterMs`, kills the process that much later, and sends the instruction again if it was not done by
     * then.
     */
    async tell(order: object | number, killAfterMs?: number): Promise<void> {
      const told = child ?? (await start())
      const answered = answer(told)
      told.send(order as object)
      if (killAfterMs !== undefined) {
        await sleep(killAfterMs)
        await kill()
        const first = await answered
        if (first === 'done') return
        return this.tell(order)
      }
      const said = await answered
      if (said !== 'done') throw new Error(`${name}: ${said}`)
    },
  }
}
