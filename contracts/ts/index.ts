export type { ContractErrorName } from './contractErrorName.ts'
export {
  accessAbi,
  contractErrorNames,
  creditAbi,
  findingsAbi,
  gateAbi,
  marketAbi,
  marketLensAbi,
  marketOfficeAbi,
  monitorsAbi,
  monitorsErrorsAbi,
  pledgeAbi,
  purseAbi,
  purseErrorsAbi,
  purseFactoryAbi,
  registryAbi,
  testUsdtAbi,
} from './generated.ts'
export { ORDER_STATUS, type OrderStatus } from './orderStatus.ts'
export { ROLE, type Role } from './role.ts'
