/** The JavaScript interface of solc. */
export interface Solc {
  compile(
    input: string,
    callbacks?: { import(path: string): { contents: string }; smtSolver?(query: string): { contents: string } },
  ): string
  version(): string
}
export function loadSolc(): Solc
