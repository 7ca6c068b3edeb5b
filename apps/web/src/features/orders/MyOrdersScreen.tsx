import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RequireWallet } from '../../wallet/index.ts'
import { MyOrders } from './MyOrders.tsx'
import { orderMessages } from './messages.ts'
import type { RenderClean } from './OrderDialogs.tsx'
import { VoucherDialog } from './VoucherDialog.tsx'

/** `/myspace` */
export function MyOrdersScreen({ renderClean }: { renderClean: RenderClean }) {
  const text = useMessages(orderMessages)
  const [voucher, setVoucher] = useState(false)
  return (
    <Page>
      <PageTitle
        title={text.title}
        actions={
          <>
            <Button onClick={() => setVoucher(true)}>{text.redeem}</Button>
            <ButtonLink to="/keys">{text.keys}</ButtonLink>
            <ButtonLink to="/alerts">{text.alerts}</ButtonLink>
            <ButtonLink to="/providerinfo">{text.providerArea}</ButtonLink>
          </>
        }
      />
      <RequireWallet>
        <MyOrders renderClean={renderClean} />
      </RequireWallet>
      {voucher && <VoucherDialog onClose={() => setVoucher(false)} />}
    </Page>
  )
}
