import { createRunner } from './runner.ts'
import { endStep, runStep } from './runStep.ts'

const write = (text: string) => void process.stdout.write(text)
const runner = createRunner(process.env, (line) => write(`${line}\n`))
try {
  if (runner.isPost) await endStep(runner, write)
  else {
    runner.save('phase', 'post')
    process.exitCode = await runStep(runner, write)
  }
} catch (error) {
  runner.fail(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
