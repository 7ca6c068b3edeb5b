import { networkOf, widerNetworks } from '@rackfair/rules/network/networkOf'
import { expect, test } from 'vitest'
import { createWaitingRoom } from './waitingRoom.ts'

function fill() {
  const room = createWaitingRoom()
  const dropped: string[] = []
  const enter = (address: string) => {
    const network = networkOf(address)
    return room.enter([network, ...widerNetworks(network).map((one) => one.network)], () => dropped.push(address))
  }
  return { room, dropped, enter }
}

test('of one network, the oldest makes room for the newest', () => {
  const { room, dropped, enter } = fill()
  for (let index = 0; index < 36; index += 1) enter('192.0.2.1')
  expect([room.size(), dropped.length]).toEqual([32, 4])
  enter('192.0.2.2')
  expect([room.size(), dropped.length]).toEqual([33, 4])
})

test.each([
  ['/64', (index: number) => `2001:db8:1:1::${index + 1}`, 32],
  ['/56', (index: number) => `2001:db8:1:${(0x100 + index).toString(16)}::1`, 48],
  ['/48', (index: number) => `2001:db8:1:${(index * 0x101 + 0x100).toString(16)}::1`, 64],
])('an IPv6 customer with a %s has so many places', (_, address, most) => {
  const { room, enter } = fill()
  for (let index = 0; index < 99; index += 1) enter(address(index))
  expect(room.size()).toBe(most)
})

test('when all places are taken, the largest network gives one up, and never a newcomer of a small one', () => {
  const { room, dropped, enter } = fill()
  enter('198.51.100.1')
  for (let host = 0; host < 16; host += 1) for (let index = 0; index < 32; index += 1) enter(`192.0.2.${host}`)
  expect(room.size()).toBe(128)
  enter('198.51.100.2')
  expect(room.size()).toBe(128)
  expect(dropped.filter((address) => address.startsWith('198.51.100.'))).toEqual([])
})

test('of networks with one place each, the first gives up its own; who left gives up nothing', () => {
  const { room, dropped, enter } = fill()
  const leave = enter('10.0.0.1')
  for (let index = 0; index < 127; index += 1) enter(`10.1.0.${index}`)
  leave()
  leave()
  enter('10.2.0.1')
  expect([room.size(), dropped]).toEqual([128, []])
  enter('10.2.0.2')
  expect(dropped).toEqual(['10.1.0.0'])
})
