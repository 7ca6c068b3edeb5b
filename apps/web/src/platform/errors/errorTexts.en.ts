import type { ErrorCode } from '@rackfair/sdk'
import { type ErrorSentence, NEVER } from './ErrorFactsReader.ts'

export const en: { title: string; sentences: Readonly<Record<ErrorCode, ErrorSentence>> } = {
  title: 'Error Message',
  sentences: {
    AllowanceTooSmall: 'The gate may not take this amount of USDT yet. Nothing was paid; try again.',
    AlreadyMonitor: 'This account is already a monitor. Nothing has changed.',
    AlreadyRegistered: 'This address is already registered as a provider.',
    AlreadyPaid: 'This monitor has already earned its pay for this period. Nothing has changed.',
    AlreadyRevealed: 'This monitor has already revealed its report for this period. Nothing has changed.',
    AmountTooSmall: 'The smallest amount that can be changed is 0.000001.',
    AppTooLong: (facts) => `The name of the application may have at most ${facts.number('max')} bytes.`,
    AuthorizationNotValidNow: 'This signed payment is not valid now. Nothing was paid; sign another one.',
    AuthorizationUsedAlready: 'This signed payment was used before. Nothing more was paid.',
    BadSignature: 'The signature does not fit what was signed. Nothing was paid.',
    BalanceTooSmall: 'There is not enough USDT for this. Nothing was changed.',
    BondTooLow: (facts) => `A monitor’s place costs a bond of at least ${facts.usd('min')} at present. Nothing was paid.`,
    BudgetTooLow: (facts) =>
      `This costs ${facts.usd('amount')}, and the key has ${facts.usd('left')} left to spend. Nothing was paid; the owner of the purse can raise its limit.`,
    CompensationTooHigh: 'A buyer cannot be paid more than was locked for it. Nothing was paid.',
    ConditionsChanged:
      'The conditions of new orders have changed since you looked at them. Nothing was paid. Read them and confirm again.',
    CountOutOfBounds: (facts) =>
      `The number for ${facts.text('field')} must be from ${facts.number('min')} to ${facts.number('max')}.`,
    DayCapExceeded: (facts) => `Only ${facts.usd('left')} more can be paid out in rewards within a day. Try again later.`,
    Draining: 'The market has moved to a new version. Load the page again and buy there.',
    DurationOutOfBounds:
      'The duration is outside what is allowed: an hour, or what the provider asks for, to 120 months, including the time still ahead. Nothing was paid; choose another.',
    ECDSAInvalidSignature: 'The signature is not valid. Nothing was paid; try again.',
    ECDSAInvalidSignatureLength: 'The signature is not valid. Nothing was paid; try again.',
    ECDSAInvalidSignatureS: 'The signature is not valid. Nothing was paid; try again.',
    ERC20InsufficientAllowance: 'The contract may not take this amount yet. Nothing was paid; try again.',
    ERC20InsufficientBalance: 'There is not enough Credit in your wallet for this.',
    ERC20InvalidApprover: 'The zero address cannot allow anything. Nothing was sent.',
    ERC20InvalidReceiver: 'Credit cannot be sent to the zero address. Nothing was sent.',
    ERC20InvalidSender: 'Credit cannot come from the zero address. Nothing was sent.',
    ERC20InvalidSpender: 'The zero address cannot be allowed to spend. Nothing was sent.',
    ERC2612ExpiredSignature: 'The permit has expired. Nothing was paid; try again.',
    ERC2612InvalidSigner: 'The permit does not fit your wallet. Nothing was paid; try again.',
    EntriesPaused: 'New orders and pledges are paused for safety. Running orders, cancels and withdrawals work as always.',
    FeeTooHigh: (facts) =>
      `The price has risen to ${facts.usd('fee')}; you agreed to ${facts.usd('maxFee')}. Nothing was paid. Check the new price.`,
    FindingIsFinal: 'This downtime is already final and counts in the order. Nothing has changed.',
    FreePledgeTooLow: (facts) =>
      `The provider’s pledge is locked behind other orders: this one needs ${facts.usd('amount')}, and ${facts.usd('free')} is free. Nothing was paid; choose another machine.`,
    GrantMalformed: (facts) =>
      `A key of a purse is an account, and may name at most ${facts.number('max')} providers. Nothing was changed.`,
    InsufficientPledge: (facts) =>
      `Only ${facts.usd('balance')} of the pledge is free; the rest is locked behind orders until they are closed.`,
    InvalidAccountNonce: 'The signature has already been used. Nothing was paid; try again.',
    InvalidShortString: 'A text is too long for the contract.',
    KeyInUse: 'This key has a grant already. Nothing was changed; change its limits, or revoke it first.',
    KeyNotValid:
      'This key has no grant for the purse, or its grant was revoked or has expired. Nothing was paid; ask the owner of the purse.',
    LengthOutOfBounds: (facts) =>
      `The text for ${facts.text('field')} must have ${facts.number('min')} to ${facts.number('max')} bytes.`,
    MaintenanceOutOfMonth:
      'Maintenance has to begin within 30 days and lie within one month of maintenance. Nothing was announced; choose an earlier time, or announce the time before and after the end of the month separately.',
    MaintenanceTooSoon: (facts) =>
      `This maintenance begins too soon to be announced or withdrawn: it would have to begin on ${facts.time('earliest')} or later. Nothing has changed.`,
    MarketIsCurrent: 'The current market cannot be retired before its successor is published.',
    MarketNotEmpty: 'This market still holds money of live orders.',
    MintThroughGate: 'On this chain Credit comes from the gate only, for USDT.',
    NameTaken: (facts) =>
      `Another provider (${facts.text('holder')}) has this name, or one that reads the same. Nothing was changed. Choose another one.`,
    NameUnreadable: 'A name needs at least one letter or digit. Nothing was changed.',
    NoContradiction: 'These reports do not contradict what they are held against. Nothing has changed.',
    NoMaintenance: 'This maintenance is not announced, or was withdrawn before. Nothing has changed; load the page again.',
    NoKey: 'The zero address cannot sign for a monitor. Nothing has changed; name the address of a key.',
    NoProcessor: 'A node needs at least one CPU or GPU.',
    NodeNotFound: 'This node is no longer listed.',
    NodeNotSold: 'No order holds this node.',
    NodeOffline: 'The provider has taken this node offline. Nothing was paid.',
    NodeSold: 'Somebody else has just bought this node. Nothing was paid. Choose another one.',
    NodesListed: (facts) =>
      `The whole pledge can only be taken back once no node is listed (${facts.number('nodes')} are): remove them first.`,
    NotAccess: 'Only the contract that publishes versions may do this.',
    NotAnnounced: (facts) =>
      `This has to be announced first, so that everybody can leave beforehand. It is possible from ${facts.time('from')}.`,
    NotAssigned: (facts) =>
      `${facts.text('monitor')} did not monitor through this period, or sells this machine, so its report does not count here. Nothing has changed.`,
    NotDownForADay: 'The final reports do not say that this node was away for a whole day. Nothing has changed.',
    NotDraining: 'Only a market of an earlier version may hand an order over.',
    NotFinal: (facts) =>
      facts.text('finalAt') === '0'
        ? 'No downtime is found for this order in this period.'
        : `This downtime can be contested until ${facts.time('finalAt')} and counts after that. Try again then.`,
    NotGuardian: 'Only the guardian may do this.',
    NotPurseOwner: 'Only the owner of the purse may do this. Nothing was changed.',
    NothingToDraw:
      'The block that draws the monitors of this period has not been announced, or is not over. Nothing has changed; try again in a minute.',
    NothingFound: 'These reports agree on no downtime that has not been found already. Nothing has changed.',
    NotInProbation: 'The probation of this order is over.',
    NotLocked: 'A market cannot free more of a pledge than it has locked itself.',
    NotMarket: 'Only the market’s own contract may do this.',
    NotMonitor: 'This account is not a monitor: it never joined, has resigned, or took its bond back. Nothing has changed.',
    NotRegistry: 'Only the market’s own register may do this.',
    NotOperator: 'Only the provider or its operator may do this.',
    NotOwner: 'Only the owner of the contract may do this.',
    NotPaused: 'Nothing is paused.',
    NotProvider: 'Only the provider of this order may do this.',
    NotRegistered: 'This address is not registered as a provider.',
    NoMarket: (facts) =>
      `${facts.text('market')} is no market in service, so nothing is paid for its orders. Nothing has changed.`,
    NotDrawn: 'No block has drawn the sample of this period yet. Nothing has changed; try again after the next period.',
    NotTheSample: 'Another report is drawn as the sample of this period. Nothing has changed.',
    NothingShown: 'None of these reports has an epoch in which the order was up, so nothing is paid. Nothing has changed.',
    NotReported: (facts) =>
      `The report of ${facts.text('monitor')} is not the one that it revealed on the chain. Nothing has changed.`,
    NotRevealed: (facts) =>
      `${facts.text('monitor')} has revealed no report for this period, so it does not count. Nothing has changed.`,
    NotTreasury: 'Only the treasury may do this.',
    NotValidator: 'The market asks another contract for downtime. Nothing has changed.',
    NotUser: 'Only the buyer of this order may do this.',
    NotWired: 'The contracts do not belong together. Tell the operator of this installation.',
    NothingEarned: 'This monitor has no earnings left to take. Nothing was paid.',
    NothingToRenew: 'This order is not to be kept alive, or not for longer. Nothing was paid.',
    NothingToWithdraw: 'There is nothing to withdraw.',
    NowhereToMove: 'This order is already in the current version of the market. Nothing was changed.',
    NoWitness: (facts) =>
      `${facts.text('monitor')} cannot contest this: only a monitor of the whole period that was not drawn for the machine can. Nothing has changed.`,
    OrderEnded: (facts) => `This order ended on ${facts.time('end')}.`,
    OrderIdsOverlap: 'The new market would use numbers of orders that exist already.',
    OrderNotFound: 'There is no such order.',
    OtherPace: 'This contract counts time otherwise than the one before it. Nothing has changed.',
    OtherKeysOrder:
      'This key may act only for orders that it bought, or that the owner of the purse gave to it. Nothing was changed.',
    OutsideWindow: (facts) =>
      facts.text('from') === '0'
        ? `This was possible until ${facts.time('until')}. Nothing has changed.`
        : `This is possible from ${facts.time('from')} until ${facts.time('until')}. Nothing has changed.`,
    OwnNode: 'A provider cannot buy its own node.',
    OwnableInvalidOwner: 'This address cannot be an owner.',
    OwnableUnauthorizedAccount: 'Only the owner of the contract may do this.',
    OwnerMissing: 'A purse needs an owner. Nothing was changed.',
    PaceOutOfBounds: 'An epoch has 1 to 300 seconds, a period 8 to 96 epochs, a multiple of 8.',
    PageTooLong: (facts) => `At most ${facts.number('max')} entries can be read at once.`,
    PaidByKey: 'A key that is still valid paid for this order. Nothing was changed; revoke that key first.',
    ParamOutOfBounds: 'The value of this setting is outside what the contract allows.',
    PauseTooSoon: (facts) => `It can be paused again from ${facts.time('allowedFrom')}.`,
    PledgeTooLow: (facts) => `The pledge must be at least ${facts.usd('min')}.`,
    PriceAboveLimit: 'The machine costs more than this key may pay. Nothing was paid; choose a cheaper one.',
    PriceGranularity: 'A price may have at most nine decimals.',
    PriceTooHigh: (facts) => `A price may be at most ${facts.usd('max')}.`,
    ProviderNotGranted: 'This key may not buy from this provider. Nothing was paid; choose another machine.',
    RateTooHigh: 'This is more than the contract allows.',
    ReceiverRefused: 'Money sent to this address would be lost. Nothing was sent.',
    ReentrancyGuardReentrantCall: 'The token called back in the middle of a payment. Nothing was paid.',
    RenounceDisabled: 'Ownership can be handed over, never given up.',
    ResetAllowanceFirst: 'USDT wants the old allowance set to zero first. Nothing was paid; try again.',
    RewardsTooLow: (facts) => `The pool of rewards holds only ${facts.usd('rewards')}.`,
    RightMissing: 'This key does not have the right to do this. Nothing was changed; ask the owner of the purse.',
    SafeCastOverflowedUintDowncast: 'A number is too large for the contract.',
    SafeERC20FailedOperation: 'The token refused the transfer.',
    SignatureInvalid: 'The signature is not of the account that would pay. Nothing was paid.',
    StaleNode: 'The provider has changed this node since you looked at it. Nothing was paid. Check price and resources again.',
    StartExpired: 'The time to activate this order is over; the buyer gets everything back.',
    StatementInFuture: 'The statement covers time that is still to come.',
    StillBonded: (facts) =>
      facts.text('until') === NEVER
        ? 'This monitor has not resigned: its bond stays while it monitors. Resign first.'
        : `The bond can be taken back from ${facts.time('until')}.`,
    StringTooLong: 'A text is too long for the contract.',
    TermAboveLimit: 'The order would last longer than this key may pay for. Nothing was paid; choose a shorter time.',
    TooEarlyToRenew: (facts) => `This order can be renewed from ${facts.time('opens')} on. Nothing was paid.`,
    TooFewVotes: (facts) =>
      `These are reports of ${facts.number('votes')} monitors, and ${facts.number('needed')} have to agree. Nothing has changed.`,
    TooManyDecimals: 'This token counts in more digits than Credit and cannot be changed.',
    TooManyNodes: (facts) =>
      facts.has('nodes')
        ? `At most ${facts.number('max')} machines can be announced at once, and these are ${facts.number('nodes')}. Nothing has changed; choose fewer.`
        : `A provider may list ${facts.number('max')} nodes; a pledge of 1 USD raises the limit to 1,000.`,
    TooMuchMaintenance: (facts) =>
      `One of these machines has too little left: ${facts.number('max')} epochs in any 30 days, in at most ${facts.number('maxWindows')} pieces a month, and this would make ${facts.number('epochs')}. Nothing was announced; choose a shorter time or other machines.`,
    UnorderedVotes: 'The reports have to be in the order of their monitors, each once. Nothing has changed.',
    UrlTooLong: (facts) =>
      `The address at which a monitor publishes may have at most ${facts.number('max')} characters. Nothing has changed.`,
    VoucherExpired: (facts) => `This voucher was good until ${facts.time('deadline')}.`,
    TooManySamples: (facts) => `At most ${facts.number('max')} reports can be shown at once. Nothing has changed.`,
    WrongReveal: 'This is not the report that the monitor committed to. Nothing has changed.',
    WrongStatus: 'The order is in another state than this needs. Load it again.',
    WrongToken: 'Only Credit can be pledged.',
    ZeroAddress: 'An address is missing.',
    ZeroAmount: 'The amount must be more than zero.',
    ZeroRate: 'A node cannot be offered for nothing: set at least one price.',

    bad_request: 'The platform did not understand the request. Check what you entered.',
    not_found: 'There is nothing by this name.',
    unauthenticated: 'You are signed out. Sign in again.',
    forbidden: 'You are not allowed to do this.',
    conflict: 'Something has changed in the meantime. Load it again.',
    payload_too_large: 'This is too large.',
    rate_limited: 'Too many requests. Wait a minute and try again.',
    not_ready: 'The platform is still reading the chain. Try again in a moment.',
    internal: 'Something went wrong on the platform. Nothing was lost; try again.',
    nonce_unknown: 'The sign-in took too long. Start it again.',
    message_invalid: 'The message to sign in was not accepted. Start again.',
    signature_invalid: 'The signature does not belong to this wallet.',
    edge_unavailable:
      'The edge gave no place: it did not answer, has another certificate than you named, or no free port. Nothing was registered. Ask who runs it for its name and fingerprint, and try again.',
    faucet_unavailable: 'There is no faucet on this network.',
    faucet_exhausted: 'The faucet has given this address enough for today.',
    provider_offline: 'The provider cannot be reached. Your order keeps its time; try again, or cancel for a refund.',
    deploy_timeout: 'The provider did not answer in time. Nothing was charged for it; try again.',

    text_malformed: 'The signed request cannot be read. Sign again.',
    text_too_old: (facts) =>
      facts.has('minutesBehind')
        ? `Your clock is ${facts.number('minutesBehind')} min behind. Set it, then sign again. Nothing was changed.`
        : 'The signed request is too old. Sign again.',
    text_in_future: (facts) =>
      facts.has('minutesAhead')
        ? `Your clock is ${facts.number('minutesAhead')} min ahead. Set it, then sign again. Nothing was changed.`
        : 'The signed request is dated later than the clock of the machine that checked it. Check your clock, then sign again.',
    text_replayed: 'This request was used before. Sign again.',
    text_out_of_order: 'A newer request has been carried out. Load the page again.',
    once_taken: 'Another application was deployed on this order under the same name. Choose another name.',
    wrong_provider: 'The request was made for another provider.',
    wrong_chain: 'The request was made for another network.',
    wrong_signer: 'The request was signed by a wallet other than the order’s.',
    order_not_found: 'The provider cannot find this order on the chain yet. Try again in a moment.',
    order_not_owned: 'This order belongs to another wallet.',
    order_not_active: 'This order is not active.',
    order_expired: 'This order has expired.',
    preset_unknown: 'The provider does not know this application.',
    preset_does_not_fit: 'This application needs more than the order has.',
    preset_needs_origin:
      'Only you may open this application, and this provider has no address of its own for each order, so it could not be kept from other tenants.',
    env_not_allowed: 'A setting is not allowed for this application.',
    secrets_unreadable:
      'The provider cannot read the secret values: its agent has a different key from the one they were sealed to. Sign and deploy again.',
    app_malformed: 'The specification of the application is not the one that was signed. Sign it again.',
    runtime_refused:
      'The provider cannot run this application as it asks to be run, behind gVisor or as several services, so nothing was started. Deploy it without that, or choose another provider.',
    own_images_refused: 'This provider takes only applications of the catalogue.',
    agent_busy: 'The provider is still working on your last request. Try again in a moment.',
    chain_unreachable: 'The provider cannot reach the chain. Try again in a moment.',
    image_missing: 'The provider does not have the image of this application.',
    image_changed:
      'The provider lost the image that this deployment promised, and a new build of it is another one. It was not started, and your data is kept. Deploy again to run the new one.',
    image_not_found: 'The registry has no image with this name and tag.',
    image_architecture: 'The image is not made for the processors of this machine.',
    image_too_large: 'The image is larger than this provider takes, or than the disk of this order.',
    registry_denied: 'The registry asks for a different user name or password.',
    registry_unreachable: 'The registry of the image cannot be reached from the provider.',
    port_unavailable: 'The provider has no port left for this application.',
    port_clash:
      'Two services of this application listen at the same port, and on this provider’s cluster the services of an order share their network. Nothing was started: give one of them another port, or choose a provider without a cluster.',
    engine_unavailable: 'The container engine of the provider is not running.',
    isolation_unavailable: 'The provider cannot isolate this application safely, so it did not start it.',
    gpu_unavailable:
      'A GPU of this order does not work on the provider’s machine. The provider has been told; nothing else of your order was touched.',
    node_oversold:
      'The provider’s machine does not have what your order bought, so nothing was started. You can cancel the order.',
    disk_full:
      'The disk of the provider’s machine is full, so nothing new can start there. What runs and what you paid are not touched. Try again later, or tell the provider.',
    start_failed: 'The application stopped while starting.',
    start_timeout: 'The application did not answer in time.',
    job_failed: 'The job ended with an error of its own. Its log and its files say why.',

    workspace_unsupported: 'The provider’s agent does not offer this yet. Your application is not touched.',
    key_expired: 'The key of this browser for this order has expired. Sign with your wallet for a new one.',
    key_revoked: 'The key of this browser for this order was revoked. Sign with your wallet for a new one.',
    stream_broken: 'Something between you and the provider changed the data, so it was not used. Try again.',
    stream_interrupted: 'The connection to the provider broke off. Your application keeps running; try again.',
    too_many_streams: 'Too much is open for this order. Close a terminal or another page of it, then try again.',
    app_not_running: 'The application is not running.',
    service_unknown: 'The application of this order has no such service. Reload the page to see those that it has.',
    file_not_found: 'There is no such file or folder.',
    file_exists: 'There is already a file or folder with this name. Nothing was changed.',
    upload_in_progress:
      'This file is being uploaded already, perhaps from another page. Wait until that is done, then try again.',
    file_refused: 'The application’s user may not do this here, or it is neither a file nor a folder. Nothing was changed.',
    name_too_long:
      'The name is too long: at most 255 bytes, which are 255 plain letters, fewer with accents, 85 Chinese characters. Give it a shorter name. Nothing was changed.',
    file_unreadable:
      'Your browser could not read this file; it was moved or changed in the meantime. Nothing was changed on the machine.',
    order_disk_full: 'The disk of this order is full. Delete something, then try again.',
    ssh_key_refused:
      'This is not a public SSH key that can be used here. Give the one line of a .pub file, for example from ssh-keygen -t ed25519.',
    too_many_keys: 'This order already has 16 SSH keys. Remove one of them first.',
    domain_refused:
      'This cannot be a domain of your own here: give a name such as shop.example, on an order whose provider has names with HTTPS.',
    domain_elsewhere:
      'This domain does not point to your order yet. Set the CNAME record that the page shows; it can take minutes until others see it. Nothing was changed.',
    domain_taken:
      'This domain belongs to another order of the provider, and still points there. Let it point to your order, then add it. Nothing was changed.',
    too_many_domains: 'This order has as many domains as it may. Remove one of them first.',

    user_rejected: 'You declined in your wallet. Nothing was sent.',
    wrong_network: 'Your wallet is on another network. Switch it and try again.',
    not_connected: 'No wallet is connected.',
    account_changed:
      'The account in your wallet has changed. Nothing was sent from the new one. Choose the account that you began with, or start again with this one.',
    wallet_locked: 'Your wallet is locked. Unlock it and try again.',
    wallet_unable: 'Your wallet cannot do this with this account. Nothing was sent. Choose another account or another wallet.',
    wallet_silent: 'Your wallet has not answered. Nothing was signed. Open the wallet, look for its question, and try again.',
    insufficient_gas: 'There is too little of the network’s own currency for the transaction fee.',
    hardware_not_verified: 'Monitors have not verified this machine’s hardware as you asked. Nothing was paid.',
    insufficient_credit: 'There is not enough Credit in your wallet for this.',
    transaction_reverted: (facts) =>
      `The contract refused the transaction: ${facts.text('reason')}. Only the network fee was spent.`,
    transaction_timeout: 'Still waiting after 5 minutes. It may yet go through: look at your account before you send it again.',
    transaction_unknown: 'It may have been sent; its outcome is not known yet. Look in your account before you send it again.',
    transaction_replaced: 'The transaction was replaced or cancelled in your wallet.',
    rpc_unreachable: 'The chain cannot be reached. Nothing was sent; try again.',
    platform_unreachable: 'The platform cannot be reached. Your orders and your money are on the chain and safe; try again.',
    page_incomplete: 'A part of this page could not be loaded over your connection. Try again.',
    answer_malformed: (facts) =>
      `This page got an answer that it cannot read (${facts.text('field')}). Your orders and your money are on the chain and safe; load the page again.`,
    not_deployed_on_chain: 'The market is not deployed on this chain.',
    unknown: 'Something went wrong that we have no words for. The details may help.',
  },
}
