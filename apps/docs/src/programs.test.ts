import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgram } from '@rackfair/testkit'
import { expect, test } from 'vitest'
import { ROOT } from './readGuide.ts'
import { LANGUAGES, PAGES } from './site.ts'

const guides = LANGUAGES.flatMap((language) => PAGES.map((page) => `docs/guides/${language}/${page}.md`)).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}))

const AGENT = await builtProgram('agent')
const CLI = await builtProgram('cli')
const MCP = await builtProgram('mcp')
const X402 = await builtProgram('x402')
const EDGE = await builtProgram('edge')
const MONITOR = await builtProgram('monitor')
const PLATFORM = await builtProgram('platform')

/** The programs named in the guides, by the words that start them there, and how to print their options. */
const PROGRAMS: readonly { words: string; help: (subcommand: string[]) => string[] }[] = [
  { words: 'rackfair-agent', help: (sub) => [AGENT, ...sub, '--help'] },
  { words: 'rackfair-mcp', help: () => [MCP, '--help'] },
  { words: 'rackfair-x402', help: () => [X402, '--help'] },
  { words: 'rackfair', help: (sub) => [CLI, ...sub, '--help'] },
  { words: 'node apps/platform/src/main.ts', help: () => [PLATFORM, '--help'] },
  { words: 'node apps/monitor/src/main.ts', help: () => [MONITOR, '--help'] },
  { words: 'node apps/edge/src/main.ts', help: () => [EDGE, '--help'] },
  { words: 'npm run tool -- node scripts/packAgent.ts', help: () => ['scripts/packAgent.ts', '--help'] },
  { words: 'node contracts/script/deploy.ts', help: () => ['contracts/script/deploy.ts', '--help'] },
  { words: 'node scripts/systemPackages.mjs', help: () => ['scripts/systemPackages.mjs', '--help'] },
  { words: 'npm run tool -- node scripts/pack.ts', help: () => ['scripts/pack.ts', '--help'] },
  { words: 'node apps/docs/build.ts', help: () => ['apps/docs/build.ts', '--help'] },
]

const FENCED = /^```\w*\n([\s\S]*?)^```$/gm
const lines = [...new Set(guides.flatMap(({ text }) => commandsIn(text)))]

test('guides contain commands', () => expect(lines.length).toBeGreaterThan(5))

test.each(lines)('%s is a valid command line', (line) => {
  const program = PROGRAMS.find(({ words }) => line.startsWith(words))
  if (!program) return expect(line).toMatch(/^npm (start|test|run|install)/)
  const words = line.slice(program.words.length).trim().split(/\s+/)
  const subcommand = words.slice(0, words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word)) + 1 || words.length)
  const commands = subcommand.filter((word) => /^[a-z][a-z-]*$/.test(word))
  const { text } = helpOf(program.help(commands))
  // A word that is not a subcommand itself, as in `images sync`, is an argument.
  const usages = commands.map((_, at) => `Usage: ${program.words} ${commands.slice(0, at + 1).join(' ')} `)
  if (usages.length > 0)
    expect(
      usages.some((usage) => text.includes(usage)) || commands.some((one) => new RegExp(`^  ${one} `, 'm').test(text)),
      text.slice(0, 80),
    ).toBe(true)
  for (const flag of flagsIn(line)) expect(text, `${flag} of ${line}`).toContain(flag)
})

test('every flag in the text belongs to a program', () => {
  const known = [
    readFileSync(join(ROOT, 'scripts/usage.mjs'), 'utf8'),
    ...PROGRAMS.map(({ help }) => helpOf(help([])).text),
    ...[
      'search',
      'buy',
      'deploy',
      'logs',
      'receipt',
      'reliability',
      'image',
      'run',
      'key grant',
      'purse keep',
      'purse withdraw',
    ].map((name) => helpOf([CLI, ...name.split(' '), '--help']).text),
    ...['init', 'node drain', 'node import', 'maintenance', 'uptime'].map(
      (name) => helpOf([AGENT, ...name.split(' '), '--help']).text,
    ),
  ].join('\n')
  for (const { path, text } of guides)
    for (const flag of flagsIn(text.replace(FENCED, ''))) expect(known, `${path} names ${flag}`).toContain(flag)
})

test('every file in the text exists', () => {
  for (const { path, text } of guides) {
    for (const [, file = ''] of text.matchAll(/`((?:apps|contracts|docs|packages|presets|scripts)\/[\w./-]+)`/g)) {
      const made = file === 'contracts/deployments/985.json'
      expect(made || existsSync(join(ROOT, file)), `${path} names ${file}`).toBe(true)
    }
  }
})

test('every environment variable in the text is read by a program', () => {
  const names = new Set(guides.flatMap(({ text }) => text.match(/\b(?:RACKFAIR|DATABASE)_[A-Z_]+\b/g) ?? []))
  expect(names.size).toBeGreaterThan(0)
  for (const name of names) {
    const found = spawnSync(
      'grep',
      [
        '-rlw',
        '--include=*.ts',
        name,
        'apps/agent/src',
        'apps/platform/src',
        'contracts/script',
        'packages/cli/src',
        'packages/mcp/src',
        'packages/x402/src',
      ],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    )
    expect(found.stdout, name).not.toBe('')
  }
})

function commandsIn(text: string): string[] {
  const fenced = [...text.matchAll(FENCED)].map((match) => match[1] ?? '')
  const starts = [...PROGRAMS.map(({ words }) => words), 'npm ']
  return fenced.flatMap((block) => block.split('\n')).filter((line) => starts.some((start) => line.startsWith(start)))
}

function flagsIn(text: string): string[] {
  return text.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []
}

const helps = new Map<string, string>()

function helpOf(args: string[]): { text: string } {
  const key = args.join(' ')
  const text =
    helps.get(key) ??
    (() => {
      const run = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
      if (run.status !== 0) throw new Error(`${key} ended with ${run.status}: ${run.stderr.slice(-500)}`)
      return run.stdout
    })()
  helps.set(key, text)
  return { text }
}
