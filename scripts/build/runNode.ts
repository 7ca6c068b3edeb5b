import { spawn } from 'node:child_process'

/** Runs a build program with its output on the terminal. `what` names it if it fails. */
export function runNode(cwd: string, args: readonly string[], what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The caller's own mode, such as a test's, must not turn it into a development build.
    const env = { ...process.env, NODE_ENV: 'production' }
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${what} could not be built; the lines above say why.`)),
    )
  })
}
