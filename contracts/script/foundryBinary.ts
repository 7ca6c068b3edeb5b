import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The native Foundry executable of this platform. The npm shim exits 0 even if a test fails, so nothing here may use it. */
export function foundryBinary(tool: 'anvil' | 'cast' | 'forge'): string {
  const shim = createRequire(import.meta.url).resolve(`@foundry-rs/${tool}/package.json`)
  const platform = process.platform === 'win32' ? 'win32' : process.platform
  const native = createRequire(shim).resolve(
    `@foundry-rs/${tool}-${platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/package.json`,
  )
  return join(dirname(native), 'bin', process.platform === 'win32' ? `${tool}.exe` : tool)
}
