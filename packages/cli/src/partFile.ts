import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { CliError, EXIT } from './exitCodes.ts'
import type { Texts } from './texts/index.ts'

/** A file that is being fetched, beside its place under another name, so that it is there complete or not at all. */
export interface PartFile {
  write(bytes: Uint8Array): Promise<void>
  /** Gives it its name. @throws CliError `file_exists` if a file of this name has come meanwhile; what was fetched then stays beside it */
  keep(file: string, replace?: boolean): Promise<void>
  /** Removes what has not been kept. */
  discard(): void
}

/** @throws CliError `file_not_writable` if nothing can be written there */
export function createPartFile(file: string, text: Texts): PartFile {
  const part = `${file}.${process.pid}.part`
  try {
    closeSync(openSync(part, 'wx'))
  } catch (error) {
    throw new CliError(EXIT.usage, 'file_not_writable', text.cannotWrite(file, (error as NodeJS.ErrnoException).code ?? ''))
  }
  const remove = () => rmSync(part, { force: true })
  // A second Ctrl-C ends the process at once.
  process.once('exit', remove)
  let isKept = false
  let handle: Promise<Awaited<ReturnType<typeof open>>> | undefined
  return {
    async write(bytes) {
      handle ??= open(part, 'a')
      await (await handle).writeFile(bytes)
    },
    async keep(name, replace = false) {
      await (await handle)?.close()
      handle = undefined
      isKept = true
      process.off('exit', remove)
      if (existsSync(name) && !replace) throw new CliError(EXIT.refused, 'file_exists', text.keptBeside(name, part))
      renameSync(part, name)
    },
    discard() {
      process.off('exit', remove)
      void handle?.then((open) => open.close()).catch(() => undefined)
      if (!isKept) remove()
    },
  }
}
