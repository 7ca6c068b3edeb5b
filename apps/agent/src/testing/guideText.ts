import { readFileSync } from 'node:fs'

/** The commands of a guide in order: the lines of code blocks that have no language and are not files. */
export function guideCommands(page: string): string[] {
  return guideBlocks(page, '')
    .filter((block) => !block.startsWith('{'))
    .flatMap((block) => block.trim().split('\n'))
}

/** Contents of the code blocks in one language. */
export function guideBlocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/guides/en/${page}.md`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((block) => block[1] === language)
    .map((block) => block[2] as string)
}
