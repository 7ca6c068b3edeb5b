import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./resources/', import.meta.url))

/** True for an installed agent: one folder with its code and resources. Otherwise it runs from a checkout. */
export const isPackaged = existsSync(FOLDER)

/** The path of a resource: inside the package, or in the checkout. */
export const resource = (place: string, inCheckout: () => string): string => (isPackaged ? join(FOLDER, place) : inCheckout())
