/**
 * Sets what sshd sets of the user that the application runs as, then runs the command line that is the first argument. It needs nothing of
 * an image but its shell. A user without an entry in /etc/passwd keeps what the image sets.
 */
const SCRIPT = `while read -r __key __uid __rest; do [ "$__key" = Uid: ] && break; done </proc/self/status
while IFS=: read -r __name __x __id __x __x __x __shell; do
  if [ "$__id" = "$__uid" ]; then export USER="$__name" LOGNAME="$__name" SHELL="\${__shell:-/bin/sh}"; break; fi
done 2>/dev/null </etc/passwd
unset __key __uid __rest __name __x __id __shell
exec /bin/sh -c "$1"`

/** How a command line runs as in a session of sshd. */
export const inSession = (line: string): string[] => ['/bin/sh', '-c', SCRIPT, 'sh', line]
