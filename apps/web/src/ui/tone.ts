/** The meanings a colour may have. Each also needs a word or a shape. */
export type Tone = 'idle' | 'run' | 'off' | 'warn' | 'bad'

export const TONE_TEXT: Record<Tone, string> = {
  idle: 'text-idle',
  run: 'text-run',
  off: 'text-off',
  warn: 'text-warn',
  bad: 'text-bad',
}
export const TONE_CHIP: Record<Tone, string> = {
  idle: 'bg-idle-soft text-idle',
  run: 'bg-run-soft text-run',
  off: 'bg-off-soft text-ink-2',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}
export const TONE_FILL: Record<Tone | 'ink', string> = {
  idle: 'bg-idle',
  run: 'bg-run',
  off: 'bg-off',
  warn: 'bg-warn',
  bad: 'bg-bad',
  ink: 'bg-ink',
}
export const TONE_STROKE: Record<Tone | 'ink' | 'accent', string> = {
  idle: 'stroke-idle',
  run: 'stroke-run',
  off: 'stroke-off',
  warn: 'stroke-warn',
  bad: 'stroke-bad',
  ink: 'stroke-ink',
  accent: 'stroke-accent',
}
