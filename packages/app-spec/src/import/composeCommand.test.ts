import { describe, expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const compose = (line: string) => readPasted(`services:\n  a:\n    image: redis\n    ${line}\n`)

describe('the command of a compose file', () => {
  test.each<[string, string[]]>([
    ['serve "a b"', ['serve', 'a b']],
    ['sh -c "echo $$HOME"', ['sh', '-c', 'echo $HOME']],
    [`sh -c 'echo $$HOME $\${A:-b}'`, ['sh', '-c', `echo $HOME \${A:-b}`]],
    ['sh -c "echo $$(date) \\$$5"', ['sh', '-c', 'echo $(date) $5']],
    ['serve --price $$5 $$', ['serve', '--price', '$5', '$']],
    ['serve --listen 0.0.0.0 --trusted-proxies=*', ['serve', '--listen', '0.0.0.0', '--trusted-proxies=*']],
    [
      'find . -name *.log -o -name ?.[ch] {a,b} ~ !x',
      ['find', '.', '-name', '*.log', '-o', '-name', '?.[ch]', '{a,b}', '~', '!x'],
    ],
    ['get http://a/?b=c&d=e (x) a#b "#c"', ['get', 'http://a/?b=c&d=e', '(x)', 'a#b', '#c']],
    ['a $$(b)', ['a', '$(b)']],
    [`serve --level \${A:-info} "\${B-a b}"`, ['serve', '--level', 'info', 'a b']],
    ["|\n      serve\n        --a b\n        'c\n        d'", ['serve', '--a', 'b', 'c\n  d']],
    ['""', []],
    ['[]', []],
    ['["sh", "-c", "echo $$HOME $$$$"]', ['sh', '-c', 'echo $HOME $$']],
  ])('%s escapes dollar signs by doubling them', (command, args) => {
    const { spec, problems } = compose(`command: ${command}`)
    expect(problems).toEqual([])
    expect(spec?.args).toEqual(args)
  })

  test.each<[string, string]>([
    ['serve $A', 'no_value'],
    ['serve "$A"', 'no_value'],
    ["sh -c 'echo $A'", 'no_value'],
    ['serve $$$A', 'no_value'],
    ['["serve", "$A"]', 'no_value'],
    ['a; b', 'no_shell'],
    ['a && b', 'no_shell'],
    ['a | b', 'no_shell'],
    ['a > b', 'no_shell'],
    ['a 2>&1', 'no_shell'],
    ["a 'b", 'no_shell'],
  ])('%s is refused', (command, code) => {
    const { spec, problems } = compose(`command: ${command}`)
    expect(spec).toBeUndefined()
    expect(problems).toEqual([{ field: 'services.a.command', code, line: 4 }])
  })
})
