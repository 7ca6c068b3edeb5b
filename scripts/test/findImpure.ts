/** A clock, chance or surroundings: what a rule is given as an argument. */
const IMPURE =
  /\b(?:Date\.now|Date\(\)|Math\.random|performance\.now|crypto\.(?:getRandomValues|randomUUID)|process\.\w+|setTimeout|setInterval|fetch\(|Temporal\.Now)/g

/** The uses of them in a source, outside comments. */
export function findImpure(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return code.match(IMPURE) ?? []
}
