export const en = {
  parts: { cpu: 'cores', memory: 'memory', storage: 'storage', gpu: 'GPUs' },
  short: (parts: string) => `Oversold: ${parts}`,
  title: 'This provider sells more than its computer has',
  long: (parts: string) =>
    `All its machines together offer more ${parts} than there is, according to its own agent. While its other buyers use theirs, you may get less than you pay for, or a deployment may be refused.`,
}
