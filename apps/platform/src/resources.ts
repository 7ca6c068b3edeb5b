import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./resources/', import.meta.url))
const isPackaged = existsSync(FOLDER)

/** The path of a file that the platform reads: in the package that operators run, else in the checkout. */
export const resource = (place: string, inCheckout: () => URL): string =>
  isPackaged ? join(FOLDER, place) : fileURLToPath(inCheckout())
