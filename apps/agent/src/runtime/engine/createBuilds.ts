import { AppError } from '@rackfair/rules/errors/AppError'

type Listener = (line: string) => void
/** One piece of work; its lines go to `say`, and it ends early when `signal` asks for it. */
type Work<T> = (say: Listener, signal: AbortSignal) => Promise<T>

interface Build<T> {
  done: Promise<T>
  listeners: Set<Listener>
  lastLine: string | undefined
}

/** Deduplicates work by name: a caller requesting work in progress joins it, and receives its lines from the newest one on. */
export function createBuilds<T>() {
  const running = new Map<string, Build<T>>()
  const control = new AbortController()
  const begin = (name: string, work: Work<T>): Build<T> => {
    const listeners = new Set<Listener>()
    const say = (line: string) => {
      build.lastLine = line
      for (const hear of listeners) hear(line)
    }
    const done = Promise.resolve()
      .then(() => work(say, control.signal))
      .finally(() => running.delete(name))
    const build: Build<T> = { done, listeners, lastLine: undefined }
    running.set(name, build)
    return build
  }
  return {
    async run(name: string, work: Work<T>, listener: Listener): Promise<T> {
      if (control.signal.aborted) throw new AppError('agent_busy', 'the agent is stopping', { retryable: true })
      const build = running.get(name) ?? begin(name, work)
      if (build.lastLine !== undefined) listener(build.lastLine)
      build.listeners.add(listener)
      return build.done.finally(() => build.listeners.delete(listener))
    },
    /** Aborts all running work, waits for it to end, and refuses new work. */
    async stop(): Promise<void> {
      control.abort()
      await Promise.allSettled([...running.values()].map(({ done }) => done))
    },
  }
}
