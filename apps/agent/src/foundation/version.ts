import { existsSync, readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }

/** Written beside the program when it is packaged as a version of its own. */
const packaged = new URL('version.txt', import.meta.url)

export const AGENT_VERSION: string = existsSync(packaged) ? readFileSync(packaged, 'utf8') : manifest.version
