/** Countries where machines are likely to stand, and areas of `AREAS`, by their names in English and Chinese, some in German. `/` separates names. */
const TABLE = `
AR argentina/阿根廷
AT austria/奥地利/österreich
AU australia/澳大利亚
BE belgium/比利时
BG bulgaria/保加利亚
BR brazil/巴西
CA canada/加拿大/kanada
CH switzerland/瑞士/schweiz
CL chile/智利
CN china/中国
CZ czechia/捷克/czech republic
DE germany/德国/deutschland
DK denmark/丹麦
EE estonia/爱沙尼亚
ES spain/西班牙/spanien
FI finland/芬兰/finnland
FR france/法国/frankreich
GB united kingdom/uk/英国/england
GR greece/希腊
HK hong kong/香港
HU hungary/匈牙利
ID indonesia/印度尼西亚
IE ireland/爱尔兰
IL israel/以色列
IN india/印度
IS iceland/冰岛
IT italy/意大利/italien
JP japan/日本
KR south korea/韩国/korea
KZ kazakhstan/哈萨克斯坦
LT lithuania/立陶宛
LU luxembourg/卢森堡
LV latvia/拉脱维亚
MX mexico/墨西哥
MY malaysia/马来西亚
NL netherlands/荷兰/holland/niederlande
NO norway/挪威
NZ new zealand/新西兰
PH philippines/菲律宾
PL poland/波兰/polen
PT portugal/葡萄牙
RO romania/罗马尼亚
RS serbia/塞尔维亚
RU russia/俄罗斯
SA saudi arabia/沙特
SE sweden/瑞典/schweden
SG singapore/新加坡
SI slovenia/斯洛文尼亚
SK slovakia/斯洛伐克
TH thailand/泰国
TR turkey/土耳其
TW taiwan/台湾
UA ukraine/乌克兰
AE uae/阿联酋/united arab emirates
US us/usa/美国/united states/america/american
VN vietnam/越南
ZA south africa/南非
150 europe/欧洲/europa/european
142 asia/亚洲/asien/asian
003 north america/北美
005 south america/南美
002 africa/非洲
009 oceania/大洋洲
EU eu/欧盟/european union
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
