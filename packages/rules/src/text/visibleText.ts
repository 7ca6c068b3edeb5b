/** Characters that a terminal interprets instead of showing: control characters, direction marks and other formatting, lone surrogates. */
const ACTED_UPON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Makes untrusted text safe for a terminal: line breaks and tabs keep their effect, all other such characters are escaped. */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(ACTED_UPON, (character) => {
    if (character === '\n' || character === '\t') return character
    const code = character.codePointAt(0) as number
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Rewrites the same JSON value so that it is safe for a terminal. */
export function visibleJson(json: string): string {
  return json.replace(ACTED_UPON, (character) => [...unitsOf(character)].map((unit) => `\\u${unit}`).join(''))
}

function* unitsOf(character: string) {
  for (let at = 0; at < character.length; at += 1) yield character.charCodeAt(at).toString(16).padStart(4, '0')
}
