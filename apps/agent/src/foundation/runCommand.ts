import { spawn } from 'node:child_process'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/**
 * Runs a program on this machine without a shell. Never rejects: a missing program yields exit code 127. `signal` terminates it and its
 * descendants, and the promise resolves once it has ended.
 */
export function runCommand(
  file: string,
  args: readonly string[],
  options: {
    input?: string
    timeoutMs?: number
    env?: NodeJS.ProcessEnv
    cwd?: string
    signal?: AbortSignal
    onLine?: (line: string) => void
  } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const { signal } = options
    const child = spawn(file, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: options.env ?? process.env,
      cwd: options.cwd,
      // A group of its own: asked alone, a program may wait for what it started.
      detached: signal !== undefined,
    })
    let stdout = ''
    let stderr = ''
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended by itself.
      }
    }
    signal?.addEventListener('abort', end)
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000)
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk).slice(-20_000)
      for (const line of String(chunk).split('\n')) if (line.trim()) options.onLine?.(line.trim())
    })
    for (const stream of child.stdio) stream?.on('error', () => {})
    child.stdin.end(options.input ?? '')
    // It comes again where a signal cannot be sent.
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ code: 127, stdout, stderr: error.message })
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve({ code: code ?? 137, stdout, stderr })
    })
  })
}
