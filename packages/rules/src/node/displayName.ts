/** Letters of other scripts, and digits, that look like a Latin letter in most fonts. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', н: 'h', о: 'o', р: 'p', ԛ: 'q' },
  ...{ ѕ: 's', т: 't', у: 'y', ѵ: 'v', ѡ: 'w', х: 'x', α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p' },
  ...{ τ: 't', υ: 'u', χ: 'x', γ: 'y', ı: 'i', ɑ: 'a', ɡ: 'g', '0': 'o', '1': 'l', i: 'l', '|': 'l', '5': 's', '8': 'b' },
}

/**
 * An untrusted name without what is invisible or disruptive: controls, direction marks, invisible characters, stacked accents, odd spaces.
 */
export function visibleName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
}

/** Equal for two names that a person would confuse. Never displayed. */
export function nameSkeleton(name: string): string {
  const plain = visibleName(name).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const latin = [...plain].map((character) => LOOKS_LIKE[character] ?? character).join('')
  return latin
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/**
 * A provider's name for display. `isTaken`: another provider registered a similar-looking name earlier, so this one carries the end of its
 * address.
 */
export function displayName(name: string, address: string, isTaken: boolean): string {
  const shown = visibleName(name)
  return isTaken || shown === '' ? `${shown} (…${address.slice(-4)})`.trim() : shown
}
