import { Card } from '../../ui/Card.tsx'
import { Section } from '../../ui/Section.tsx'
import { ConnectButton, RequireWallet } from '../../wallet/index.ts'

export function WalletParts() {
  return (
    <Section title="Wallet">
      <Card title="Connect button" aside="address, icon of the network and no balance · avatar and name of the network">
        <div className="flex flex-wrap gap-6">
          <ConnectButton />
          <ConnectButton accountStatus="full" chainStatus="icon" showBalance />
          <ConnectButton accountStatus="avatar" chainStatus="name" showBalance={false} />
          <ConnectButton label="Start here" accountStatus={{ small: 'avatar', large: 'full' }} chainStatus="none" />
        </div>
      </Card>
      <RequireWallet>
        <p>Connected and on the right network.</p>
      </RequireWallet>
    </Section>
  )
}
