/** Countries where machines are likely to stand, and areas of `AREAS`, by their names in English, Chinese and German. `/` separates names. */
const TABLE = `
AR argentina/阿根廷/argentinien
AT austria/奥地利/österreich
AU australia/澳大利亚/australien
BE belgium/比利时/belgien
BG bulgaria/保加利亚/bulgarien
BR brazil/巴西/brasilien
CA canada/加拿大/kanada
CH switzerland/瑞士/schweiz
CL chile/智利
CN china/中国
CO colombia/哥伦比亚/kolumbien
CZ czechia/捷克/tschechien/czech republic
DE germany/德国/deutschland/german
DK denmark/丹麦/dänemark
EE estonia/爱沙尼亚/estland
ES spain/西班牙/spanien
FI finland/芬兰/finnland
FR france/法国/frankreich
GB united kingdom/uk/英国/vereinigtes königreich/great britain/britain/england
GR greece/希腊/griechenland
HK hong kong/香港/hongkong
HR croatia/克罗地亚/kroatien
HU hungary/匈牙利/ungarn
ID indonesia/印度尼西亚/indonesien
IE ireland/爱尔兰/irland
IL israel/以色列
IN india/印度/indien
IS iceland/冰岛
IT italy/意大利/italien
JP japan/日本
KE kenya/肯尼亚/kenia
KR south korea/韩国/südkorea/korea
KZ kazakhstan/哈萨克斯坦/kasachstan
LT lithuania/立陶宛/litauen
LU luxembourg/卢森堡/luxemburg
LV latvia/拉脱维亚/lettland
MO macao/澳门/macau
MT malta/马耳他
MX mexico/墨西哥/mexiko
MY malaysia/马来西亚
NG nigeria/尼日利亚
NL netherlands/荷兰/niederlande/holland/niederlanden
NO norway/挪威/norwegen
NZ new zealand/新西兰/neuseeland
PH philippines/菲律宾/philippinen
PL poland/波兰/polen
PR puerto rico/波多黎各
PT portugal/葡萄牙
QA qatar/卡塔尔/katar
RO romania/罗马尼亚/rumänien
RS serbia/塞尔维亚/serbien
RU russia/俄罗斯/russland
SA saudi arabia/沙特阿拉伯
SE sweden/瑞典/schweden
SG singapore/新加坡/singapur
SI slovenia/斯洛文尼亚/slowenien
SK slovakia/斯洛伐克/slowakei
TH thailand/泰国
TR türkiye/土耳其/türkei/turkey
TW taiwan/台湾
UA ukraine/乌克兰
AE united arab emirates/vereinigte arabische emirate/uae/阿联酋
US united states/美国/vereinigte staaten/usa/us/united states of america/america/amerika/american
VN vietnam/越南
ZA south africa/南非/südafrika
150 europe/欧洲/europa/european
142 asia/亚洲/asien/asian
003 north america/北美洲/nordamerika/北美
005 south america/南美洲/südamerika/南美
002 africa/非洲/afrika
009 oceania/大洋洲/ozeanien
EU european union/欧盟/europäische union/eu
`

/** The code of a country or area by its name in lower case. */
export const PLACES: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [, code = '', names = ''] = /^(\S+) (.+)$/.exec(line) ?? []
      return names.split('/').map((name) => [name, code] as const)
    }),
)
