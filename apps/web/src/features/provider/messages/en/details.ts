export const details = {
  title: 'Details',
  name: 'Name',
  ip: 'IP',
  port: 'Port',
  domain: 'Domain',
  address: 'Address',
  agent: 'Agent',
  agentOnline: 'Online',
  agentSeen: (ago: string) => `Offline, last heard ${ago}`,
  agentNever: 'Never heard',
  operator: 'Operator key',
  operatorNone: 'none',
  operatorChange: 'Change operator key',
  operatorSet: 'Appoint operator key',
  editTitle: 'Edit provider',
  editText: 'Running orders go on. Buyers reach your machines at the new address as soon as the transaction is confirmed.',
  unchanged: 'Nothing has changed yet.',
  nameHint: 'Your nodes are called after it: name-1, name-2, …',
  ipHint: 'The public address at which buyers reach your gateway.',
  portHint: '1 to 65535; the agent’s gateway listens on 7070 unless told otherwise.',
  domainHint: 'Optional. With a domain of your own, every application gets its own address.',
}

export const operator = {
  title: 'Operator key of the agent',
  what: 'The agent on your machine signs with a key of its own, so that your wallet’s key never has to be there. It can start orders, mark applications as deployed and switch nodes online or offline. It can never move money, change prices or take your pledge.',
  where:
    'The agent prints its operator address when it is set up. Whoever holds that key can act for your nodes until you appoint another one.',
  label: 'Operator address',
  hint: '0x and 40 hexadecimal digits',
  current: 'Appointed now:',
  problems: {
    invalid: 'This is not an address.',
    zero: 'This is the zero address; nobody holds it.',
    same: 'This key is appointed already.',
    own: 'This is your own wallet; it needs no appointment.',
  },
  appoint: 'Appoint operator',
  dismiss: 'Dismiss operator',
  dismissWhat: 'Without an operator the agent cannot start new orders by itself.',
  appointed: 'Operator appointed',
  dismissed: 'Operator dismissed',
  describeSet: (address: string) => `Appoint operator ${address}`,
  describeDismiss: 'Dismiss the operator',
}

export const reach = {
  test: 'Test the address',
  knocking: (place: string) => `The platform connects to ${place} and asks for the operator key …`,
  failed: 'The address was not tested',
  outcomes: {
    reachable: {
      title: (place: string) => `Your agent answers at ${place}`,
      next: (milliseconds: string) => `It proved your operator key in ${milliseconds} ms. Buyers can visit their applications.`,
    },
    refused: {
      title: (place: string) => `Nothing listens at ${place}`,
      next: 'The machine is there, but no program listens on this port. Start the agent, or register the port of its gateway with Edit provider.',
    },
    timed_out: {
      title: (place: string) => `No answer from ${place}`,
      next: 'A firewall or a router drops what arrives, or the machine is off. Open this port for TCP; behind a router, forward it to the machine.',
    },
    no_route: {
      title: (place: string) => `There is no way to ${place}`,
      next: 'The platform’s network cannot reach this address. Check that it is the public address of your machine; if it is IPv6, register an IPv4 address instead.',
    },
    not_this_agent: {
      title: (place: string) => `Something else answers at ${place}`,
      next: 'A program listens there, but it did not prove your operator key. Check that this is the port of the agent’s gateway, and that the operator key above is the one that the agent prints.',
    },
    not_public: {
      title: (place: string) => `${place} is not on the internet`,
      next: 'Only machines in your own network could reach it, so it was not tried. Register the public address of the machine with Edit provider.',
    },
  },
}
