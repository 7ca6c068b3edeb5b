/** A country as ISO 3166-1 writes it, in which a provider says that its machine stands. */
export const REGION = /^[A-Z]{2}$/

/** Areas that a search may name in place of a country: the European Union, and parts of the world by their numbers of UN M49. */
export const AREAS: readonly string[] = ['150', '142', '003', '005', '002', '009', 'EU']

/** Countries by the area in which they are. */
const COUNTRIES: Readonly<Record<string, string>> = {
  '150':
    'AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM UA VA XK',
  '142':
    'AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  '003':
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  '005': 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  '002':
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  '009': 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PW SB TK TO TV VU WF WS',
  EU: 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
}

/**
 * The countries of places, each of which is a country or an area of `AREAS`.
 * @example countriesIn(['CH', 'EU']).has('DE') // true
 */
export const countriesIn = (places: readonly string[]): ReadonlySet<string> =>
  new Set(places.flatMap((place) => COUNTRIES[place]?.split(' ') ?? place))

/** The version of a driver, as `nvidia-smi` prints it. */
export const DRIVER_VERSION = /^\d{1,5}(?:\.\d{1,5}){0,3}$/

/**
 * Whether a driver is of a version or a later one. Numbers that are not given count as 0.
 * @example isDriverFrom('550.90.07', '550') // true
 */
export function isDriverFrom(version: string, least: string): boolean {
  const [has, wanted] = [version.split('.').map(Number), least.split('.').map(Number)]
  for (const [index, number] of wanted.entries()) {
    const other = has[index] ?? 0
    if (other !== number) return other > number
  }
  return true
}
