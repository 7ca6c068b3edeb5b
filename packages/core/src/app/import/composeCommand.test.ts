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
    [`serve --level \${A:-info}`, 'no_value'],
    ['["serve", "$A"]', 'no_value'],
    ['a; b', 'syntax'],
    ['a && b', 'syntax'],
    ['a $$(b)', 'syntax'],
    ["a 'b", 'syntax'],
  ])('%s is refused', (command, code) => {
    const { spec, problems } = compose(`command: ${command}`)
    expect(spec).toBeUndefined()
    expect(problems).toEqual([{ field: 'services.a.command', code, line: 4 }])
  })
})
