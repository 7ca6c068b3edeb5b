import { type Address, createClient, http } from 'viem'
import { getEnsName, getEnsText } from 'viem/actions'
import { mainnet } from 'viem/chains'

export interface Ens {
  name: string
  /** Where its picture is; null when it has none that a browser can show by itself. */
  avatar: string | null
}

/** Name and picture of an address; null without a name. A picture that cannot be read costs the picture only. */
export async function lookUpEns(rpcUrl: string, address: Address): Promise<Ens | null> {
  const client = createClient({ chain: mainnet, transport: http(rpcUrl) })
  const name = await getEnsName(client, { address })
  if (name === null) return null
  const record = await getEnsText(client, { name, key: 'avatar' }).catch(() => null)
  return { name, avatar: pictureUrl(record ?? '') }
}

const MAX_LINK = 2000
const MAX_PICTURE = 100_000

/** A stranger's text: a link by https, IPFS through its public gateway, or a small picture in the text itself. Nothing else is shown. */
export function pictureUrl(record: string): string | null {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]+$/.test(record)) return record.length <= MAX_PICTURE ? record : null
  if (record.length > MAX_LINK) return null
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?([\w-]+(?:\/[\w./%-]*)?)$/.exec(record)?.[1]
  const link = ipfs === undefined ? record : `https://ipfs.io/ipfs/${ipfs}`
  if (!URL.canParse(link)) return null
  const { protocol, username, password, href } = new URL(link)
  return protocol === 'https:' && username === '' && password === '' ? href : null
}
