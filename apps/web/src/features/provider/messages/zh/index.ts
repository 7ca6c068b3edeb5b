import type { MessagesOf } from '../../../../i18n/defineMessages.ts'
import type { en } from '../en/index.ts'
import { common } from './common.ts'
import { details, operator, reach } from './details.ts'
import { earnings } from './earnings.ts'
import { maintenance } from './maintenance.ts'
import { money } from './money.ts'
import { editNode, form } from './nodeForm.ts'
import { nodes } from './nodes.ts'
import { funds, notices } from './notices.ts'
import { drop, orders } from './orders.ts'
import { alerts, machines, next, overview } from './overview.ts'
import { pledge, pledgeHistory } from './pledge.ts'
import { problems } from './problems.ts'
import { wizard } from './wizard.ts'

export const zh: MessagesOf<typeof en> = {
  ...common,
  overview,
  machines,
  next,
  alerts,
  details,
  operator,
  reach,
  maintenance,
  money,
  pledge,
  pledgeHistory,
  nodes,
  orders,
  drop,
  earnings,
  wizard,
  form,
  editNode,
  notices,
  funds,
  problems,
}
