/** No value may contain it, so it marks in a text what stands for a value that is not known here. */
const MARK = '\0'

/**
 * The place of a value that only the user's machine knows: a variable without a value, the output of a command.
 *
 * @example unknownValue('${TOKEN}') // shown to the user as ${TOKEN}
 */
export const unknownValue = (written: string): string => MARK + written.replaceAll(MARK, '') + MARK

/** Whether a text depends on a value that is not known here. */
export const isUnknown = (text: string): boolean => text.includes(MARK)

/** The variable that a text consists of; undefined where it has more, or none. */
export const variableOf = (text: string): string | undefined =>
  new RegExp(`^${MARK}\\$\\{?(\\w+)[^${MARK}]*${MARK}$`).exec(text)?.[1]

/** The variables that a text depends on and whose values are not known here. */
export const variablesOf = (text: string): string[] =>
  [...text.matchAll(new RegExp(`${MARK}\\$\\{?(\\w+)[^${MARK}]*${MARK}`, 'g'))].map(([, name = '']) => name)

/** A text with those of its variables filled in that are given. */
export const fillIn = (text: string, given: Readonly<Record<string, string>>): string =>
  text.replace(new RegExp(`${MARK}\\$\\{?(\\w+)[^${MARK}]*${MARK}`, 'g'), (mark, name: string) =>
    Object.hasOwn(given, name) ? (given[name] ?? '') : mark,
  )

/** The text as the user wrote it. */
export const asWritten = (text: string): string => text.replaceAll(MARK, '')
