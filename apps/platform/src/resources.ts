import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./resources/', import.meta.url))
const isPackaged = existsSync(FOLDER)

/** Where something that the platform reads lies: by its place in the package that operators run, or else where the checkout has it. */
export const resource = (place: string, inCheckout: () => URL): string =>
  isPackaged ? join(FOLDER, place) : fileURLToPath(inCheckout())
