import { spawn } from 'node:child_process'

/** Runs a program that builds something, its lines on the terminal. `what` names it where it fails. */
export function runNode(cwd: string, args: readonly string[], what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // A caller's own mode, such as a test's, must not make it a build for development.
    const env = { ...process.env, NODE_ENV: 'production' }
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${what} could not be built; the lines above say why.`)),
    )
  })
}
