import { expect, it } from 'vitest'
import { readWish, type Wish } from './readWish.ts'

const TYPED: readonly (readonly [string, Wish])[] = [
  // As the home page's hint says it
  ['RTX 4090, 64 GB, under $300', { text: 'RTX 4090', minMemory: 64, maxPrice: '300' }],
  ['RTX 4090, 64 GB, 300 美元以下', { text: 'RTX 4090', minMemory: 64, maxPrice: '300' }],
  // Without a comma
  ['2x rtx 4090 under $400', { text: 'RTX 4090', minGpus: 2, maxPrice: '400' }],
  ['rtx 4090 x2 under 400', { text: 'RTX 4090', minGpus: 2, maxPrice: '400' }],
  ['rtx 4090 ×2 under $400', { text: 'RTX 4090', minGpus: 2, maxPrice: '400' }],
  ['8 gpu 64gb', { minGpus: 8, minMemory: 64 }],
  ['8 GPUs 512 GB ram 4 TB', { minGpus: 8, minMemory: 512, minDisk: 4000 }],
  ['rtx 4090 unter 400', { text: 'RTX 4090', maxPrice: '400' }],
  ['rtx 4090 低于 400', { text: 'RTX 4090', maxPrice: '400' }],
  ['rtx4090低于400美元', { text: 'RTX 4090', maxPrice: '400' }],
  ['rtx4090', { text: 'RTX 4090' }],
  ['nvidia geforce rtx 3080 ti', { text: 'RTX 3080 Ti' }],
  ['two rtx 3090 with 128 gb', { text: 'RTX 3090', minGpus: 2, minMemory: 128 }],
  ['dual 3090', { text: '3090', minGpus: 2 }],
  ['4 x H100 80GB', { text: 'H100', minGpus: 4, minVram: 80 }],
  ['8xh100', { text: 'H100', minGpus: 8 }],
  ['a100 40gb 256gb ram', { text: 'A100', minVram: 40, minMemory: 256 }],
  ['RTX 3080 12GB', { text: 'RTX 3080', minVram: 12 }],
  ['rtx 4090 24gb', { text: 'RTX 4090', minVram: 24 }],
  ['rtx 4090 64gb', { text: 'RTX 4090', minMemory: 64 }],
  ['24 gb vram', { minVram: 24 }],
  ['at least 48GB of VRAM, 32 cores', { minVram: 48, minCores: 32 }],
  ['at least 64 gb', { minMemory: 64 }],
  ['more than 2 gpus', { minGpus: 2 }],
  ['32 cores 128 GB 2 TB ssd', { minCores: 32, minMemory: 128, minDisk: 2000 }],
  ['500 GB disk', { minDisk: 500 }],
  ['1.5 TB', { minDisk: 1500 }],
  ['64 core epyc', { text: 'epyc', minCores: 64 }],
  // Prices
  ['from $50; up to 90.5 usd', { minPrice: '50', maxPrice: '90.5' }],
  ['3090 between $100 and $300', { text: '3090', minPrice: '100', maxPrice: '300' }],
  ['3090 $100-300', { text: '3090', minPrice: '100', maxPrice: '300' }],
  ['rtx 3090 $120', { text: 'RTX 3090', maxPrice: '120' }],
  ['h100 under $1,200', { text: 'H100', maxPrice: '1200' }],
  ['h100 under $1.2k', { text: 'H100', maxPrice: '1200' }],
  ['rtx 4090 < 400', { text: 'RTX 4090', maxPrice: '400' }],
  ['rtx 4090 $0.35/h', { text: 'RTX 4090', maxPrice: '252' }],
  ['rtx 4090 under 0.5 usd per hour', { text: 'RTX 4090', maxPrice: '360' }],
  ['under $400 a month rtx 4090', { text: 'RTX 4090', maxPrice: '400' }],
  ['budget 250, rtx 3090', { text: 'RTX 3090', maxPrice: '250' }],
  ['rtx 3090 mindestens 64 GB höchstens 200', { text: 'RTX 3090', minMemory: 64, maxPrice: '200' }],
  // Chinese
  ['低于 120 美元，RTX 3080', { text: 'RTX 3080', maxPrice: '120' }],
  ['4张4090', { text: '4090', minGpus: 4 }],
  ['两张 RTX 4090，内存 64G 以上', { text: 'RTX 4090', minGpus: 2, minMemory: 64 }],
  ['八卡 H100', { text: 'H100', minGpus: 8 }],
  ['8卡 显存80G以上 预算 9000', { minGpus: 8, minVram: 80, maxPrice: '9000' }],
  ['每小时不超过 0.5 美元的 4090', { text: '4090', maxPrice: '360' }],
  ['32核 128G内存 1T硬盘', { minCores: 32, minMemory: 128, minDisk: 1000 }],
  ['空闲的 RTX 3090', { text: 'RTX 3090', idle: true }],
  ['ＲＴＸ　４０９０　４００美元以内', { text: 'RTX 4090', maxPrice: '400' }],
  // Applications
  ['stable diffusion', { runs: 'stablediffusion' }],
  ['I want to run Stable Diffusion', { runs: 'stablediffusion' }],
  ['Stable Diffusion under $200', { runs: 'stablediffusion', maxPrice: '200' }],
  ['rtx 3090 to run stable-diffusion, 64 GB', { text: 'RTX 3090', runs: 'stablediffusion', minMemory: 64 }],
  ['我想运行 Stable Diffusion', { runs: 'stablediffusion' }],
  ['跑facefusion 低于100美元', { runs: 'facefusion', maxPrice: '100' }],
  ['nginx', { runs: 'nginx' }],
  ['host nginx for 5 usd', { runs: 'nginx', maxPrice: '5' }],
  ['nginx-box', { text: 'nginx-box' }],
  // Names and what is no wish
  ['helios', { text: 'helios' }],
  ['helios-3', { text: 'helios-3' }],
  ['Xeon Gold 6226R', { text: 'Xeon Gold 6226R' }],
  ['epyc 7402 rtx 4090', { text: 'epyc 7402 RTX 4090' }],
  ['ryzen 9 rtx 4090', { text: 'ryzen 9 RTX 4090' }],
  ['free gpu', { idle: true }],
  ['3080', { text: '3080' }],
  ['gaming-box', { text: 'gaming-box' }],
  ['online', { online: true }],
  ['rtx 4090 under', { text: 'RTX 4090' }],
  ['rtx 4090 under $', { text: 'RTX 4090' }],
  ['rtx 4090 低于', { text: 'RTX 4090' }],
  ['  ', {}],
]

it.each(TYPED)('%s', (typed, wish) => expect(readWish(typed)).toEqual(wish))

it('keeps what the platform takes', () => expect(readWish('y'.repeat(300)).text).toHaveLength(100))

it('comes to an end whatever a stranger types', () => {
  for (const unit of ['1', '$1', ' ', '1 ', '1,', '1.1', 'rtx ', '至少', '4 x ', 'at least ', '１２３，'])
    expect(readWish(unit.repeat(100_000)).text?.length ?? 0).toBeLessThanOrEqual(100)
})
