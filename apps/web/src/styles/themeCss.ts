import { SPACING_PX, tokens } from './tokens.ts'

/** The stylesheet of the tokens: Tailwind's own scales are removed first, so that nothing else can be named in a class. */
export function themeCss(): string {
  const rem = (px: number) => (px === 0 ? '0px' : `${px / 16}rem`)
  const entries = Object.entries
  const theme = [
    '--*: initial;',
    ...entries(tokens.colors.light).map(([name]) => `--color-${name}: var(--${name});`),
    '--color-transparent: transparent;',
    '--color-current: currentcolor;',
    ...entries(tokens.fonts).map(([name, value]) => `--font-${name}: ${value};`),
    ...entries(tokens.text).flatMap(([name, [size, line]]) => [
      `--text-${name}: ${rem(size)};`,
      `--text-${name}--line-height: ${rem(line)};`,
    ]),
    ...entries(tokens.weights).map(([name, value]) => `--font-weight-${name}: ${value};`),
    '--tracking-tight: -0.025em;',
    '--tracking-hero: -0.038em;',
    '--leading-none: 1;',
    ...tokens.spacing.map((step) => `--spacing-${String(step).replace('.', '\\.')}: ${rem(step * SPACING_PX)};`),
    '--spacing-px: 1px;',
    ...entries(tokens.radius).map(([name, px]) => `--radius-${name}: ${rem(px)};`),
    ...entries(tokens.containers).map(([name, px]) => `--container-${name}: ${rem(px)};`),
    ...entries(tokens.breakpoints).map(([name, px]) => `--breakpoint-${name}: ${rem(px)};`),
    '--shadow-pop: 0 8px 28px rgb(0 0 0 / 0.14);',
    `--default-transition-duration: ${tokens.motion.fast}ms;`,
    '--default-transition-timing-function: ease-out;',
    '--default-font-family: var(--font-sans);',
    '--default-mono-font-family: var(--font-mono);',
    '--animate-spin: spin 0.9s linear infinite;',
    '--animate-pulse: pulse 1.6s ease-in-out infinite;',
    '--animate-tick: tick 0.4s ease-out;',
    '--animate-lit: lit 0.6s ease-out;',
  ]
  const colors = (scheme: 'light' | 'dark') => [
    `color-scheme: ${scheme};`,
    ...entries(tokens.colors[scheme]).map(([name, value]) => `--${name}: ${value.toLowerCase()};`),
  ]
  const block = (selector: string, lines: string[], indent = '') =>
    `${indent}${selector} {\n${lines.map((line) => `${indent}  ${line}`).join('\n')}\n${indent}}\n`
  return [
    '/* Made from tokens.ts by `node src/styles/writeTheme.ts`; a test compares the two. */',
    block('@theme static', theme),
    // Paper is white, whatever stands around it.
    block(':root,\n.sheet', colors('light')),
    // Nor does a printer take a dark page.
    `@media screen and (prefers-color-scheme: dark) {\n${block(':root:not([data-theme="light"])', colors('dark'), '  ')}}\n`,
    `@media screen {\n${block(':root[data-theme="dark"]', colors('dark'), '  ')}}\n`,
    block(
      '.sheet',
      entries(tokens.colors.light).map(([name]) => `--color-${name}: var(--${name});`),
    ),
  ].join('\n')
}
