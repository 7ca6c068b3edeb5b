import { readFileSync } from 'node:fs'

/** The commands of a guide in their order: the lines of its code blocks that have no language, and are no file. */
export function guideCommands(page: string): string[] {
  return guideBlocks(page, '')
    .filter((block) => !block.startsWith('{'))
    .flatMap((block) => block.trim().split('\n'))
}

/** What stands in the code blocks of one language. */
export function guideBlocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/guides/en/${page}.md`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((block) => block[1] === language)
    .map((block) => block[2] as string)
}
