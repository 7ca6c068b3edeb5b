/** The first shell that an image has; what a login reads is read. */
export const LOGIN_SHELL = ['/bin/sh', '-c', 'command -v bash >/dev/null 2>&1 && exec bash -l; exec sh -l'] as const
