/**
 * What every terminal here speaks. Without it a shell takes text that is not ASCII for editing commands. `LANG` is the weakest of the three
 * variables, and a C library that does not know this value falls back without a warning.
 */
export const UTF8 = 'LANG=C.UTF-8'

const NAMES = ['LC_ALL', 'LC_CTYPE', 'LANG']

/** Whether an environment, as `NAME=value` each, says which characters are used. */
export const setsCharacters = (env: readonly string[] | null | undefined): boolean =>
  (env ?? []).some((one) => NAMES.some((name) => one.startsWith(`${name}=`) && one.length > name.length + 1))

/** Runs its arguments as a command in a terminal, by a shell that says the same where nothing else does. */
export const TERMINAL_SCRIPT = `[ -n "$LC_ALL$LC_CTYPE$LANG" ] || export ${UTF8}; export TERM=xterm-256color; exec "$@"`
