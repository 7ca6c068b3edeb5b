import { spawn } from 'node:child_process'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program of this machine without a shell. Never rejects: a program that is not there answers code 127. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: { input?: string; timeoutMs?: number; env?: NodeJS.ProcessEnv; onLine?: (line: string) => void } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: options.env ?? process.env })
    let stdout = ''
    let stderr = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000)
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk).slice(-20_000)
      for (const line of String(chunk).split('\n')) if (line.trim()) options.onLine?.(line.trim())
    })
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    child.once('error', (error) => {
      clearTimeout(timer)
      resolve({ code: 127, stdout, stderr: error.message })
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? 137, stdout, stderr })
    })
  })
}
