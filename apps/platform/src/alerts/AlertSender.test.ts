import { expect, it } from 'vitest'
import { AlertSender } from './AlertSender.ts'

const options = { sendMail: async () => {} } as unknown as ConstructorParameters<typeof AlertSender>[0]
const refusal = (target: string) => new AlertSender(options).refusal('mail', target)

it.each(['ada@example.com', 'ada+rack@mail.example.co.uk', 'ädä@example.com'])('sends mail to %s', (target) =>
  expect(refusal(target)).toBeUndefined(),
)

it.each([
  ['a NUL, which PostgreSQL refuses', 'ad\0a@example.com'],
  ['an escape', 'ad\x1ba@example.com'],
  ['a line break', 'ada\nbcc:eve@example.com'],
  ['two addresses', 'ada@example.com,eve@example.com'],
  ['no host', 'ada@'],
  ['a local part without end', `${'a'.repeat(65)}@example.com`],
])('sends no mail to an address with %s', (_, target) => expect(refusal(target)).toBe('this is not an e-mail address'))
