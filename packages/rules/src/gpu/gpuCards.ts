/**
 * Cards by name, each with the GB of memory it is sold with, the most common first. Another suffix is another card: a laptop's RTX 4090 has
 * 16 GB. `/` separates names with the same memory.
 */
const TABLE = `
B300/GB300 288
B200/GB200 180
GH200 96
H200/H200 NVL 141
H100 NVL 94
H100/H800 80,94
H20 96
A100/A800 40,80
A100X 80
V100 16,32
V100S 32
P100 12,16
P40/M40/A10/A10G/A30/L4 24
L40/L40S/L20/A40 48
T4/T4G/A16/A2 16
P4/M60 8
K80 12
RTX A6000/RTX 6000 Ada/Quadro RTX 8000 48
RTX PRO 6000/RTX PRO 6000 Max-Q 96
RTX PRO 5000 48,72
RTX PRO 4500 32
RTX PRO 4000/RTX 4500 Ada/RTX A5000/RTX A5500/Quadro RTX 6000/TITAN RTX 24
RTX PRO 2000/RTX 2000 Ada/RTX A4000/Quadro RTX 5000/RTX A5000 Laptop/RTX A5500 Laptop/RTX A4500 Laptop/RTX 5000 Ada Laptop 16
RTX 5000 Ada 32
RTX A4500/RTX 4000 Ada/RTX 4000 SFF Ada 20
RTX A2000 6,12
RTX A1000/Quadro RTX 4000/RTX A4000 Laptop/RTX 2000 Ada Laptop/RTX 3000 Ada Laptop 8
RTX 3500 Ada Laptop/RTX 4000 Ada Laptop/TITAN V/TITAN Xp 12
RTX 5090 32
RTX 5090 D 32
RTX 5090 D V2/RTX 5090 Laptop/RTX 4090/RTX 4090 D/RTX 3090/RTX 3090 Ti 24
RTX 5080/RTX 5070 Ti/RTX 4080/RTX 4080 SUPER/RTX 4070 Ti SUPER/RTX 5080 Laptop/RTX 4090 Laptop/RTX 3080 Ti Laptop 16
RTX 5060 Ti/RTX 4060 Ti/RTX 3080 Laptop 8,16
RTX 5070/RTX 4070/RTX 4070 SUPER/RTX 4070 Ti/RTX 3080 Ti/RTX 5070 Ti Laptop/RTX 4080 Laptop 12
RTX 3080 10,12
RTX 3060 12,8
RTX 5060/RTX 5050/RTX 4060/RTX 3070/RTX 3070 Ti/RTX 3060 Ti/RTX 2080/RTX 2080 SUPER/RTX 2070/RTX 2070 SUPER/RTX 2060 SUPER 8
GTX 1080/GTX 1070/GTX 1070 Ti/RTX 5070 Laptop/RTX 5060 Laptop/RTX 5050 Laptop/RTX 4070 Laptop/RTX 4060 Laptop/RTX 3070 Laptop 8
RTX 3070 Ti Laptop/RTX 2080 Max-Q/RTX 2080 SUPER Max-Q/RTX 2070 Max-Q/RTX 2070 SUPER Max-Q/GTX 1080 Max-Q/GTX 1070 Max-Q 8
RTX 3050 8,6
RTX 3050 Laptop 4,6
RTX 2080 Ti/GTX 1080 Ti 11
RTX 2060 6,12
RTX 4050 Laptop/RTX 3060 Laptop/RTX 2060 Max-Q/GTX 1660/GTX 1660 Ti/GTX 1660 SUPER 6
GTX 1060 6,3
GTX 1650/GTX 1650 SUPER/GTX 1050 Ti/RTX 3050 Ti Laptop 4
MI355X/MI350X 288
MI325X 256
MI300X/MI308X 192
MI300A/MI250/MI250X 128
MI210 64
MI100/MI60/Radeon AI PRO R9700 32
MI50 16,32
MI25 16
RX 7900 XTX 24
RX 7900 XT 20
RX 9070 XT/RX 9070/RX 7900 GRE/RX 7800 XT/RX 6950 XT/RX 6900 XT/RX 6800 XT/RX 6800 16
RX 9060 XT 16,8
RX 7700 XT/RX 6750 XT/RX 6700 XT 12
RX 6700 10
RX 7600 XT 16
RX 7600/RX 6650 XT/RX 6600 XT/RX 6600/RX 5700 XT/RX 5700 8
RX 580/RX 570 8,4
RX 5600 XT 6
Radeon VII/W7700 16
W7900 48
W7800 32,48
W6800/V620 32
Arc A770 16,8
Arc A750/Arc A580 8
Arc A380 6
Arc A310 4
Arc B580/Arc Pro A60 12
Arc B570 10
Arc Pro B50 16
Arc Pro B60 24
Data Center GPU Max 1550 128
Data Center GPU Max 1100 48
Data Center GPU Flex 170 16
Data Center GPU Flex 140 6
`

export interface Card {
  name: string
  /** GB. */
  memory: readonly number[]
}

/** Every known card; the longest name first, so that a card is not mistaken for the one whose name begins its own. */
export const CARDS: readonly Card[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [, names = '', sizes = ''] = /^(.+) ([\d,]+)$/.exec(line) ?? []
    const memory = sizes.split(',').map(Number)
    return names.split('/').map((name) => ({ name, memory }))
  })
  .sort((a, b) => b.name.length - a.name.length)

/** GB of memory that others than the maker fit to a card, and that are sold under its name. */
export const REFITTED: Readonly<Record<string, readonly number[]>> = {
  'RTX 4090': [48],
  'RTX 4090 D': [48],
  'RTX 4080 SUPER': [32],
  'RTX 3080': [20],
  'RTX 2080 Ti': [22],
}
