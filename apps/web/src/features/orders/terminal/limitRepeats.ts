import type { Terminal } from '@xterm/xterm'

/** Nothing on a screen of at most 500 rows and columns is done more often. */
const MAX_REPEATS = 10_000
/** REP, CHT, CBT, IL, DL, SU, SD: xterm does them as often as it is told, up to 2^31 times. */
const REPEATED = ['b', 'I', 'Z', 'L', 'M', 'S', 'T']

/** Ignores a sequence that would keep the page busy for minutes or hours: any program, or a file that is shown, can print one. */
export function limitRepeats({ parser }: Pick<Terminal, 'parser'>): void {
  for (const final of REPEATED)
    parser.registerCsiHandler({ final }, ([times]) => typeof times === 'number' && times > MAX_REPEATS)
}
