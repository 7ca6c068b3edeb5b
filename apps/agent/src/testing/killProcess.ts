/** Kills the process of a number that was read as text. Throws where it names none: '' would be 0, the group of this very process. */
export function killProcess(pid: string | number): void {
  if (!(Number(pid) > 1)) throw new Error(`'${pid}' is no process`)
  process.kill(Number(pid), 'SIGKILL')
}
