import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./resources/', import.meta.url))

/** Whether this is the agent that people install: one folder with its code and all that it reads. Else it runs from a checkout. */
export const isPackaged = existsSync(FOLDER)

/** Where something that the agent reads lies: by its place in the package, or else where the checkout has it. */
export const resource = (place: string, inCheckout: () => string): string => (isPackaged ? join(FOLDER, place) : inCheckout())
