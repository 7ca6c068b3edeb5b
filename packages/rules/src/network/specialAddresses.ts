/**
 * IPv4 ranges that are not public hosts: IANA's special-purpose registry, and everything from 224.0.0.0. The last one lies in a public
 * range and is the metadata service of Azure.
 */
export const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
] as const

/** The only allocated range of IPv6. */
export const GLOBAL_IPV6 = '2000::/3'

/** Ranges within it that are not public hosts. */
export const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'] as const
