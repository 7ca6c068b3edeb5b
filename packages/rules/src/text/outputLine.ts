/** Sequences that a terminal acts upon: CSI, OSC and other strings up to their end, and single escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g

/**
 * What a line of an application's output comes to on a screen: without the sequences that a terminal acts upon, and of a progress bar only
 * its last state. Other control characters stay.
 *
 * @example outputLine('10 %\r\u001b[31m50 %\u001b[0m\r') // '50 %'
 */
export function outputLine(text: string): string {
  const lastState = text.replace(ESCAPES, '').replace(/\r+$/, '')
  return lastState.slice(lastState.lastIndexOf('\r') + 1)
}
