import { expect, test } from 'vitest'
import { checkNodeFields, checkProviderFields, isIpAddress, type NodeFields } from './formRules.ts'

const provider = { name: 'helios', ip: '203.0.113.7', port: '7070', domain: '' }
const node: NodeFields = {
  cpuModel: 'Xeon Silver 4316',
  nCPU: '2',
  core: '20',
  pCPU: '43',
  gpuModel: 'RTX 4090',
  nGPU: '1',
  pGPU: '133.5',
  diskTb: '1.5',
  pDISKPerTb: '4.25',
  memGb: '128',
  pMEM: '0.5',
}

test('requires name, IP address and port of a provider, but no domain', () => {
  expect(checkProviderFields(provider)).toStrictEqual({})
  expect(checkProviderFields({ name: ' ', ip: '', port: '', domain: '' })).toEqual({
    name: 'required',
    ip: 'required',
    port: 'required',
  })
})

test.each([
  ['port', 'seventy', 'not_a_number'],
  ['port', '0', 'too_small'],
  ['port', '65536', 'too_large'],
  ['port', '80.5', 'not_whole'],
  ['ip', 'example.org', 'not_an_address'],
  ['ip', '256.1.1.1', 'not_an_address'],
  ['name', 'ä'.repeat(33), 'too_long'],
  ['name', `${'ä'.repeat(32)}x`, 'too_long'],
  ['ip', `${'1:'.repeat(22)}11`, 'too_long'],
  ['ip', `${'0000:'.repeat(6)}255.255.255.255`, 'not_an_address'],
  ['port', 'x80', 'not_a_number'],
  ['port', '80x', 'not_a_number'],
  ['port', '80.25', 'not_whole'],
  ['domain', 'http://x.org', 'not_a_domain'],
  ['domain', 'localhost', 'not_a_domain'],
  ['domain', '-x.org', 'not_a_domain'],
  ['domain', 'x-.org', 'not_a_domain'],
  ['domain', 'x.o', 'not_a_domain'],
  ['domain', 'x.org/', 'not_a_domain'],
  ['domain', `${'x'.repeat(64)}.org`, 'not_a_domain'],
  ['domain', `x.${'o'.repeat(64)}`, 'not_a_domain'],
  ['domain', `${'x'.repeat(62)}.`.repeat(4), 'not_a_domain'],
  ['domain', `${'x.'.repeat(125)}orgs`, 'too_long'],
] as const)('refuses a provider whose %s is %j as %s', (field, value, problem) => {
  expect(checkProviderFields({ ...provider, [field]: value })).toEqual({ [field]: problem })
})

test.each([
  ['name', 'ä'.repeat(32)],
  ['port', '1'],
  ['port', '65535'],
  ['port', ' 80 '],
  ['ip', ' ::1 '],
  ['domain', ' x.org '],
  ['domain', 'a.b-c.example.museum'],
  ['domain', 'X1.ORG'],
  ['domain', `${'x'.repeat(63)}.${'o'.repeat(63)}`],
  ['domain', `${'x.'.repeat(125)}org`],
] as const)('accepts a provider whose %s is %j', (field, value) => {
  expect(checkProviderFields({ ...provider, [field]: value })).toEqual({})
})

test('converts a node to the arguments of the Registry', () => {
  expect(checkNodeFields(node)).toEqual({
    input: {
      cpuModel: 'Xeon Silver 4316',
      gpuModel: 'RTX 4090',
      nCPU: 2,
      core: 20,
      nGPU: 1,
      nMEM: 128,
      nDISK: 1500,
      pCPU: 43n * 10n ** 18n,
      pGPU: 1335n * 10n ** 17n,
      pMEM: 5n * 10n ** 17n,
      pDISK: 4_250_000_000_000_000n,
    },
  })
})

test('leaves the GPU fields of a node without GPU empty', () => {
  const checked = checkNodeFields({ ...node, gpuModel: '', nGPU: '', pGPU: '' })
  expect('input' in checked && checked.input.nGPU).toBe(0)
})

test.each([
  ['pCPU', '1.0000000001', 'too_many_decimals'],
  ['pDISKPerTb', '1.0000001', 'too_many_decimals'],
  ['pGPU', '-1', 'not_a_number'],
  ['memGb', 'many', 'not_a_number'],
  ['nCPU', '1.5', 'not_whole'],
  ['diskTb', '1.0005', 'too_many_decimals'],
  ['diskTb', '1049', 'too_large'],
  ['memGb', '1048577', 'too_large'],
  ['core', '0', 'too_small'],
  ['cpuModel', '', 'required'],
  ['gpuModel', '', 'required'],
  ['gpuModel', ' ', 'required'],
  ['gpuModel', 'x'.repeat(32), 'too_long'],
  ['nGPU', '4097', 'too_large'],
  ['diskTb', '1048.577', 'too_large'],
  ['diskTb', '12.0005', 'too_many_decimals'],
  ['diskTb', ' 1.0005 ', 'too_many_decimals'],
  ['diskTb', 'x1.0005', 'not_a_number'],
  ['diskTb', '1.0005x', 'not_a_number'],
] as const)('refuses a node whose %s is %j as %s', (field, value, problem) => {
  expect(checkNodeFields({ ...node, [field]: value })).toEqual({ problems: { [field]: problem } })
})

test.each([
  ['cpuModel', 'x'.repeat(31), 'cpuModel', 'x'.repeat(31)],
  ['cpuModel', ' x ', 'cpuModel', 'x'],
  ['nGPU', '4096', 'nGPU', 4096],
  ['memGb', '1048576', 'nMEM', 1_048_576],
  ['memGb', ' ', 'nMEM', 0],
  ['diskTb', '1048.576', 'nDISK', 1_048_576],
  ['diskTb', ' ', 'nDISK', 0],
  ['pMEM', ' ', 'pMEM', 0n],
] as const)('accepts a node whose %s is %j', (field, value, of, input) => {
  expect(checkNodeFields({ ...node, [field]: value })).toMatchObject({ input: { [of]: input } })
})

test.each([
  ['nGPU', ''],
  ['nGPU', '0'],
  ['nGPU', ' 00 '],
  ['nCPU', ''],
  ['nCPU', '0'],
] as const)('refuses a model whose number %s is %j: it would be listed as a machine without it', (field, value) => {
  expect(checkNodeFields({ ...node, [field]: value })).toMatchObject({ problems: { [field]: 'required' } })
})

test('requires no model of a part that a node does not have', () => {
  expect(checkNodeFields({ ...node, cpuModel: '', nCPU: '0', core: '' })).toMatchObject({ input: { nCPU: 0, core: 0 } })
})

test('refuses a node with neither CPU nor GPU, or with a price of zero', () => {
  expect(checkNodeFields({ ...node, cpuModel: '', nCPU: '0', core: '', gpuModel: '', nGPU: '0' })).toEqual({
    problems: { nCPU: 'too_small' },
  })
  expect(checkNodeFields({ ...node, pCPU: '0', pGPU: '0', pMEM: '0', pDISKPerTb: '0' })).toEqual({
    problems: { pCPU: 'too_small' },
  })
  expect(
    checkNodeFields({ ...node, cpuModel: '', nCPU: '0', core: '', pCPU: '0', pGPU: '0', pMEM: '0', pDISKPerTb: '0' }),
  ).toEqual({
    problems: { pGPU: 'too_small' },
  })
  expect(checkNodeFields({ ...node, nCPU: 'x', pCPU: '0', pGPU: '0', pMEM: '0', pDISKPerTb: '0' })).toEqual({
    problems: { nCPU: 'not_a_number' },
  })
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['2001:db8::8a2e:370:7334', true],
  ['255.255.255.255', true],
  ['1.2.3', false],
  ['x1.2.3.4', false],
  ['1.2.3.4x', false],
  ['1.2.3.256', false],
  ['01.2.3.4', false],
  ['::', true],
  ['ABCD:1:2:3:4:5:6:7', true],
  ['1:2:3:4:5:6:7::', true],
  ['1:2:3:4:5:6:7', false],
  ['1:2:3:4::5:6:7:8', false],
  ['1:2::3:4::5:6:7:8', false],
  ['g::1', false],
  ['1::g', false],
  ['12345::1', false],
  ['::1%eth0', false],
  [':::', false],
  ['1:2:3:4:5:6:7:8:9', false],
])('%s is an IP address: %s', (text, expected) => expect(isIpAddress(text)).toBe(expected))
