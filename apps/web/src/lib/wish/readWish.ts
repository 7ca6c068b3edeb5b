/** What a person typed into the home page's search, as the words of the node list's address. */
export interface Wish {
  text?: string
  minMemory?: string
  minDisk?: string
  maxPrice?: string
  minPrice?: string
}

const NUMBER = String.raw`(\d{1,6}(?:\.\d{1,2})?)`
const MONEY = String.raw`(?:US\$|\$|usd\s*)?\s*${NUMBER}\s*(?:usd|dollars?|美元|美金)?`
const AMOUNTS: readonly [RegExp, (figure: string) => Wish][] = [
  [
    new RegExp(`^${NUMBER}\\s*gb?(?:\\s*(?:memory|ram|内存|\\+))?$`, 'i'),
    (figure) => ({ minMemory: String(Math.ceil(Number(figure))) }),
  ],
  [
    new RegExp(`^${NUMBER}\\s*tb?(?:\\s*(?:storage|disk|存储|硬盘|\\+))?$`, 'i'),
    (figure) => ({ minDisk: String(Math.ceil(Number(figure) * 1000)) }),
  ],
  [new RegExp(`^(?:under|below|up to|at most|max|<=?|低于|不超过|最多)\\s*${MONEY}$`, 'i'), (figure) => ({ maxPrice: figure })],
  [new RegExp(`^${MONEY}\\s*(?:以下|以内|or less)$`, 'i'), (figure) => ({ maxPrice: figure })],
  [new RegExp(`^(?:over|above|from|at least|>=?|高于|不低于)\\s*${MONEY}$`, 'i'), (figure) => ({ minPrice: figure })],
  [new RegExp(`^${MONEY}\\s*(?:以上|or more)$`, 'i'), (figure) => ({ minPrice: figure })],
]

/** Reads `RTX 4090, 64 GB, under $300`: sizes and prices become filters, everything else stays text. */
export function readWish(typed: string): Wish {
  const wish: Wish = {}
  const words: string[] = []
  for (const part of typed.split(/[,，、;；]/)) {
    const phrase = part.trim().replace(/\s+/g, ' ')
    if (phrase === '') continue
    const read = AMOUNTS.map(([pattern, write]) => [pattern.exec(phrase)?.[1], write] as const).find(([figure]) => figure)
    if (read?.[0]) Object.assign(wish, read[1](read[0]))
    else words.push(phrase)
  }
  const text = words.join(' ').slice(0, 100)
  return text === '' ? wish : { ...wish, text }
}
