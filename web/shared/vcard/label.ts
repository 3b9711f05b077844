/**
 * Returns a type or a label in capitals, without accents and invisible joiners, so that different spellings
 * compare as equal.
 */
export const plainLabel = (label: string): string =>
  label
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b-\u200f]/g, '')
    .normalize('NFC');

/** The words of a list are separated by white space. */
const oneOf = (words: string) => plainLabel(words).trim().split(/\s+/).join('|');

/** Words of the first list match anywhere in a label, and words of the second list only as whole words. */
const labelPattern = (anywhere: string, whole: string) =>
  new RegExp(String.raw`${oneOf(anywhere)}|\b(?:${oneOf(whole)})\b`);

// Phones write labels in their owner's language, and people also make up labels of their own.

export const NOT_A_PHONE = labelPattern(
  `fax faks télécopi facsim fac-sim belgegeçer факс φαξ τηλεομοιοτυπ ֆաքս ფაქს פקס فاكس فكس فاکس فکس فیکس
  فيكس نمابر دورنگار फ़ैक्स फैक्स फॅक्स फेक्स फ़ेक्स फ्याक्स ফ্যাক্স ফেক্স ફેક્સ ફૅક્સ ਫੈਕਸ ਫ਼ੈਕਸ ଫ୍ୟାକ୍ସ
  ଫାକ୍ସ ఫ్యాక్స ఫాక్స ಫ್ಯಾಕ್ಸ ಫಾಕ್ಸ ഫാക്സ ഫാക്‌സ தொலைநகல ஃபேக்ஸ ஃபாக்ஸ ෆැක්ස แฟกซ์ แฟ็กซ์ โทรสาร 传真 傳真 ファックス
  ファクス ファクシミリ 팩스 팩시밀리 pager beeper bippeur téléavertisseur buscapersonas cercapersone piepser personsök
  personsøk semafoon пейджер телекс модем بيجر پیجر ביפר זימונית पेजर পেজার પેજર ਪੇਜਰ ପେଜର పేజర ಪೇಜರ പേജർ
  பேஜர เพจเจอร์ 呼机 呼機 传呼 傳呼 呼叫器 ポケベル ポケットベル 삐삐 호출기`,
  'facs bip telex tlx tty tdd textphone modem bbs',
);

/** `X-iPhone` names the device. It does not make the number come before the preferred one. */
export const MOBILE = labelPattern(
  `(?<![a-z])cell celular selular seluler mobil móvil movel mobitel (?<!x-)iphone portable handphone ponsel
  natel komórk matkapuhelin kännykkä di.động мобил мобіл сотов κινητ բջջային მობილ נייד סלולר جوال محمول
  موبايل خلوي خليوي نقال همراه موبایل موبائل मोबाइल मोबाईल मोबाएल भ्रमणध्वनी মোবাইল মুঠোফোন મોબાઇલ મોબાઈલ
  ਮੋਬਾਈਲ ਮੋਬਾਇਲ ମୋବାଇଲ మొబైల ಮೊಬೈಲ മൊബൈൽ മൊബൈല மொபைல கைபேசி கைப்பேசி அலைபேசி செல்பேசி ජංගම มือถือ 手机 手機 移动
  移動 行動 携帯 ケータイ モバイル スマホ 휴대 핸드폰 모바일`,
  'mob cel handy cep gsm',
);

/** Matches the labels of numbers that somebody else answers. */
export const ASSISTANT = labelPattern(
  `assist asist asystent asszisztens secretar secrétar sekret ассистент помощник секретар βοηθ مساعد سكرتير
  معاون دستیار منشی सहायक सचिव সহকারী સહાયક ਸਹਾਇਕ ସହାୟକ సహాయక ಸಹಾಯಕ സഹായി உதவியாளர 助理 助手 秘书 秘書 アシスタント 비서
  어시스턴트`,
  'asst',
);
