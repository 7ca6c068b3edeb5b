/** What stands beside a pasted text, which names it and does not have it. */
export interface Beside {
  /** Texts of files, by what the pasted text calls them. */
  files?: Readonly<Record<string, string>>
  /** Values of variables. Where they fill the environment they travel sealed; elsewhere they are part of what is signed. */
  variables?: Readonly<Record<string, string>>
  /** Images of services that are built, by their names. */
  images?: Readonly<Record<string, string>>
}

/**
 * What a text asks for. A `file` becomes part of what is signed; a `secret` is a file whose text travels sealed, and `values` is a file of
 * variables, which do; a `folder` is not sent, unless it turns out to be a file.
 */
export const WANTED_KINDS = ['file', 'secret', 'values', 'folder', 'variable', 'image'] as const

export interface Wanted {
  kind: (typeof WANTED_KINDS)[number]
  /** What the text calls it: `./nginx.conf`, `TAG`, and of an image its service. */
  name: string
  isGiven: boolean
  /** What a variable is if it is not given. */
  usual?: string
  /** Where it is asked for first. */
  field: string
  line?: number
}
