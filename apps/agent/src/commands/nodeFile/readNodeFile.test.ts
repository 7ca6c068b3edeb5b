import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { planImport } from './planImport.ts'
import { readCsv } from './readCsv.ts'
import { readNodeFile, type WantedNode } from './readNodeFile.ts'

const CSV = `label,cpu-model,cpus,cores,cpu-price,gpu-model,gpus,gpu-price,memory,memory-price,disk,disk-price
rack1-1,"Xeon, ""old"" 4316",1,20,43,RTX 4090,2,133.5,128,0.125,2000,0.006
rack1-2,EPYC 7402,2,24,30,,,,64,0.1,,
`
const YAML = `templates:
  gpu: { cpu-model: Xeon 4316, cpus: 1, cores: 20, cpu-price: 43, gpu-model: RTX 4090, gpus: 2, gpu-price: 0.10 }
nodes:
  - label: rack1-1
    template: gpu
  - { label: rack1-2, template: gpu, gpus: 4, memory: 64, memory-price: 0.125 }
`
const problemsOf = (text: string, kind: 'csv' | 'yaml') => {
  try {
    readNodeFile(text, kind)
    return []
  } catch (error) {
    const [first, ...rest] = (error as Error).message.split('\n  ')
    expect(first).toBe('nothing was sent')
    return rest
  }
}

describe('a node file', () => {
  it('is a CSV with the option names as its header', () => {
    const [first, second] = readNodeFile(`\uFEFF${CSV.replaceAll('\n', '\r\n')}`, 'csv')
    expect(first).toEqual({
      ...{ line: 2, label: 'rack1-1' },
      input: {
        ...{ cpuModel: 'Xeon, "old" 4316', nCPU: 1, core: 20, pCPU: parseEther('43') },
        ...{ gpuModel: 'RTX 4090', nGPU: 2, pGPU: parseEther('133.5') },
        ...{ nMEM: 128, pMEM: parseEther('0.125'), nDISK: 2000, pDISK: parseEther('0.006') },
      },
    })
    expect(second).toMatchObject({ line: 3, label: 'rack1-2', input: { nGPU: 0, nDISK: 0, pMEM: parseEther('0.1') } })
  })

  it('is a YAML with a template for omitted fields and exact amounts', () => {
    const [first, second] = readNodeFile(YAML, 'yaml')
    expect(first).toMatchObject({ line: 4, label: 'rack1-1', input: { nGPU: 2, pGPU: parseEther('0.1'), nMEM: 0 } })
    expect(second).toMatchObject({ line: 6, label: 'rack1-2', input: { nGPU: 4, nMEM: 64, pMEM: parseEther('0.125') } })
  })

  it('is refused as a whole, with every invalid line', () => {
    const wrong = `label,cpu-model,cpus,cores,cpu-price,memory,disk,disk-price
a,Xeon,1,20,43,64,,
b,Xeon,1,0,43,64,,
a,Xeon,one,20,43,64,,
,Xeon,1,20,43,64,1.5,0.0000000001
c,Xeon,1,20
d,,0,0,,64,,
e,${'x'.repeat(32)},1,1,-1,64,,
`
    expect(problemsOf(wrong, 'csv')).toEqual([
      'line 6: 4 cells, and the first line has 8',
      'line 3 (b): cores: too small',
      'line 4 (a): label: line 2 has the same',
      'line 4 (a): cpus: not a number',
      'line 5: label: 1 to 63 letters, digits, dots, hyphens and underscores',
      'line 5: disk: a whole number of GB',
      'line 5: disk-price: USD per GB and month, with at most 9 decimals',
      'line 7 (d): cpus: too small',
      'line 8 (e): cpu-price: not a number',
      'line 8 (e): cpu-model: too long',
    ])
    expect(problemsOf('label,colour\na,red\n', 'csv').join()).toContain('line 1: colour is not known')
    expect(problemsOf('label,"cpu\n', 'csv')).toEqual(['line 1: a quote is not closed'])
    expect(problemsOf('label,"a"b\n', 'csv')).toEqual(['line 1: "b" after a closing quote'])
    expect(problemsOf('label\n', 'csv')).toEqual(['the file names no node'])
    expect(problemsOf('', 'csv')).toEqual(['the file names no node'])
    expect(problemsOf('x'.repeat(1_000_001), 'csv')).toEqual(['the file has more than 1000000 characters'])
  })

  it('is refused as YAML when malformed, with an unknown template, or with anything but plain values', () => {
    expect(problemsOf('nodes: [', 'yaml')[0]).toMatch(/^line 1: /)
    expect(problemsOf('- a', 'yaml')).toEqual(['line 1: a YAML of nodes begins with "nodes:"'])
    expect(problemsOf('templates: {}', 'yaml')).toEqual(['nodes: a list is wanted'])
    expect(problemsOf('nodes:\n  - 1\n', 'yaml')).toEqual(['line 2: a node has a label and its values'])
    expect(problemsOf(YAML.replace('template: gpu\n', 'template: other\n'), 'yaml')[0]).toBe('line 4: there is no template other')
    expect(problemsOf(YAML.replace('gpus: 4', 'gpus: [4]'), 'yaml')).toEqual(['line 6: gpus: one value is wanted'])
    expect(problemsOf(`${YAML}colour: red\n`, 'yaml')[0]).toMatch(/^line 7: colour is not known/)
    expect(problemsOf('nodes:\n  - { label: a, label: b }\n', 'yaml')[0]).toMatch(/^line 2: .*unique/)
  })

  it('may contain line breaks in a quoted cell, and counts them', () => {
    expect(readCsv('a,"b\nc"\n\nd')).toEqual([
      { line: 1, cells: ['a', 'b\nc'] },
      { line: 4, cells: ['d'] },
    ])
  })
})

describe('an import plan', () => {
  const [wanted] = readNodeFile(CSV, 'csv') as [WantedNode]
  const listed = (id: bigint, change: object = {}) => ({ ...wanted.input, id, sold: false, orderId: 0n, ...change }) as never

  it('adds new nodes, recognises existing ones, and changes none that is sold', () => {
    const kinds = (nodes: never[], labels = {}) => planImport([wanted], nodes, labels).map(({ kind }) => kind)
    expect(kinds([])).toEqual(['add'])
    expect(kinds([listed(4n)])).toEqual(['same'])
    expect(kinds([listed(4n, { nMEM: 1 })])).toEqual(['add'])
    expect(kinds([listed(4n, { nMEM: 1 })], { 'rack1-1': 4 })).toEqual(['change'])
    expect(kinds([listed(4n, { nMEM: 1, sold: true, orderId: 9n })], { 'rack1-1': 4 })).toEqual(['sold'])
    expect(kinds([], { 'rack1-1': 4 })).toEqual(['add'])
  })

  it('ignores nodes of other labels, and matches one node to each of two equal lines', () => {
    const twins = [wanted, { ...wanted, label: 'other' }]
    expect(planImport(twins, [listed(4n)], { other: 4 }).map(({ kind }) => kind)).toEqual(['add', 'same'])
    expect(planImport(twins, [listed(4n), listed(5n)], {})).toMatchObject([{ nodeId: 4n }, { nodeId: 5n }])
  })
})
