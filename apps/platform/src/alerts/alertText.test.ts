import { expect, test } from 'vitest'
import { alertText } from './alertText.ts'

test('gives an agent the time that the contract gives it', () => {
  const sold = { event: 'sold', orderId: 7, detail: 0 } as unknown as Parameters<typeof alertText>[0]
  expect(alertText(sold, 'en')).toBe('A node of yours was sold: order 7. Your agent must activate it within 24 hours.')
  expect(alertText(sold, 'zh')).toBe('你的一台节点已售出：订单 7。代理须在 24 小时内激活它。')
})
