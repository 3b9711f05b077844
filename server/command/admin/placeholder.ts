import { NETWORKS, networkOf } from '#domain/network.ts';
import { cleanIdentifier } from '#domain/text.ts';

/** Matches the placeholders that people and programs write for an empty value. They are nobody's name. */
const PLACEHOLDER =
  /^(?:[-\u2010-\u2015\u2212_.?*/\\0]+|x{2,}|#?n\s?[./\\-]?\s?a\.?|\W?(?:nil|null|none|nan|empty|blank|undefined|unknown|missing|tb[adc]|(?:not|no|non) ?(?:available|applicable|known|given|provided|disponible))\W?)$/i;
/**
 * Matches the error of a formula, in every language: '#REF!', '#BEZUG!', '#NOM ?', and 'Err:502' of
 * LibreOffice.
 */
const FORMULA_ERROR = /^(?:#[\p{Lu}\d/_]+\s?[!?]|#N\/A|#NV|#+|Err:\d+)$/u;

const ADDRESS_COLUMNS: ReadonlySet<string> = new Set(['email', 'loginEmail', ...NETWORKS]);
/** These can be a name, a company or a sentence, but hardly ever somebody's email, user name or link. */
const NO_ADDRESS = words(
  `nil, nill, nul, null, none, na, n a, nan, n d, n o, no, non, not, nope, nah, zero, void, unavailable,
  nobody, disabled, hide, without, dont, doesnt, didnt, never, to follow, nothing, empty, blank, undefined,
  unknown, missing, not yet, no idea, no data, not required, not there, does not exist, tba, tbd, tbc,
  to be added, to be updated, to be decided, will update, update later, pending, awaited, awaiting, later,
  soon, coming soon, todo, to do, private, hidden, confidential, same, same as above, as above, ditto, test,
  testing, test test, dummy, sample, example, demo, fake, temp, abc, xyz, asdf, yes, true, false, invalid,
  deleted, removed, skip, optional, link, url, email, e mail, mail, mail id, email id, handle, profile,
  username, user name, website, keine, keiner, keines, kein, keine angabe, keine angaben, k a, nichts,
  unbekannt, entfällt, nicht vorhanden, aucun, aucune, pas, sin, néant, neant, rien, sans, s o, sans objet,
  non renseigné, non applicable, inconnu, ninguno, ninguna, nada, no tiene, no tengo, sin datos, no aplica,
  nenhum, nenhuma, não, nao, não tem, não tenho, nessuno, nessuna, niente, geen, nvt, n v t, ingen, inget,
  saknas, ei ole, brak, nie ma, yok, tidak ada, không, không có, khong co, nincs, žádný, niciunul, нет,
  не указано, не указан, неизвестно, отсутствует, н д, немає, няма, όχι, κανένα, אין, لا, لا يوجد, لا شيء,
  غير متوفر, ندارد, نہیں, نہیں ہے, کوئی نہیں, निल, नहीं, नही, नहीं है, नाही, नाहि, कोई नहीं, कुछ नहीं,
  काही नाही, लागू नहीं, लागू नाही, उपलब्ध नहीं, उपलब्ध नाही, पता नहीं, माहित नाही, शून्य, रिक्त, निरंक, छैन,
  নেই, নাই, না, প্রযোজ্য নয়, નથી, નહીં, લાગુ નથી, નીલ, ਨਹੀਂ, ਨਹੀਂ ਹੈ, ਲਾਗੂ ਨਹੀਂ, ନାହିଁ, లేదు, వర్తించదు,
  ಇಲ್ಲ, ಅನ್ವಯಿಸುವುದಿಲ್ಲ, ഇല്ല, ബാധകമല്ല, இல்லை, பொருந்தாது, නැත, 无, 無, 没有, 沒有, 暂无, 暫無, 未知, 空, 不适用, 不適用, なし,
  無し, ナシ, 該当なし, 未定, 不明, 없음, 해당없음, 해당 없음, ไม่มี`,
);
/**
 * These stand for nobody as a user name or before the '@' of an email. NO_ADDRESS has words that are missing
 * here, such as 'nada', because they can also be somebody's name.
 */
const NOBODY = words(
  'nil, nill, null, none, na, n a, no, no email, not available, test, dummy, sample, example, abc, xyz',
);
/**
 * These words can stand beside one of NO_ADDRESS without changing its meaning, as in 'No LinkedIn account yet'.
 */
const FILLERS = words(
  `e, de, mail, emails, mails, links, id, ids, account, page, site, web, address, social, media, linked, in,
  twitter, insta, fb, available, avail, applicable, known, given, provided, shared, found, created,
  registered, have, has, do, does, on, yet, any, a, an, the, one, of, for, is, now, will, be, to, share,
  update, updated, add, added, profil, compte, cuenta, konto, adresse, correo, disponible, है, आहे, उपलब्ध, लागू,
  ${NETWORKS.join()}`,
);
/** Matches a text such as 'noemail' or 'NotApplicable'. */
const GLUED =
  /^(?:no|not)(?:e?mails?|links?|linkedin|url|ids?|account|profile|page|(?:web)?site|handle|address|instagram|facebook|twitter|youtube|whatsapp|available|applicable|known|given|provided|shared|found)+$/;
/** Matches the name of a domain that says nothing about the person, so that 'na@gmail.com' is a placeholder. */
const ANY_DOMAIN = /^(?:example|domain|company|e?mail|gmail|yahoo|hotmail|outlook)$/;
const BARE_START = /^(?:mailto:|https?:)?\/*(?:www\.)?/i;
/** The paths before the user name in the links of the networks. */
const PROFILE_PATH = /^\/(?:(?:in|pub|company|add|user|channel|c)(?:\/|$))?/;

export const isEmailColumn = (column: string) => /mail$/i.test(column);

/** Returns whether a cell is a placeholder for an empty value. Columns of emails and links have more of them. */
export function isPlaceholder(column: string, cell: string): boolean {
  const seen = cleanIdentifier(cell);
  if (PLACEHOLDER.test(seen) || FORMULA_ERROR.test(seen)) return true;
  if (!ADDRESS_COLUMNS.has(column)) return false;
  const text = seen.replace(BARE_START, '');
  const isNone = text.startsWith('@') ? isNobody : isNoAddress;
  if (isNone(text) || toWords(text) === column.toLowerCase()) return true;
  return isEmailColumn(column) ? isEmailOfNobody(text) : isBareLink(text);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map(toWords));
}

/**
 * Returns a text in lower case, without the punctuation around it, and with spaces in place of the hyphens, slashes
 * and underscores in it. A dot becomes a space only after a single letter, because 'no.id' is a website.
 */
function toWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[\s\p{Pd}_/\\]+|(?<=(?<!\p{L})\p{L})\.\s*/gu, ' ')
    .replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '');
}

function isOneOf(placeholders: ReadonlySet<string>, text: string): boolean {
  const whole = toWords(text);
  return whole === '' || placeholders.has(whole) || GLUED.test(whole) || PLACEHOLDER.test(whole);
}

function isNoAddress(text: string): boolean {
  const each = toWords(text).split(' ');
  return (
    isOneOf(NO_ADDRESS, text) ||
    (each.some((word) => NO_ADDRESS.has(word)) &&
      each.every((word) => NO_ADDRESS.has(word) || FILLERS.has(word)))
  );
}

const isNobody = (text: string) => isOneOf(NOBODY, text);

function isEmailOfNobody(text: string): boolean {
  const [, local = '', domain = ''] = /^([^@]+)@([^@.]+)/.exec(text.toLowerCase()) ?? [];
  return domain !== '' && isNobody(local) && (isNoAddress(domain) || ANY_DOMAIN.test(domain));
}

/** Returns whether a link leads to the front page of a network, or to the profile of a placeholder. */
function isBareLink(text: string): boolean {
  const link = `https://${text}`;
  if (!text.includes('.') || !URL.canParse(link)) return false;
  const { href, pathname, search } = new URL(link);
  const network = networkOf(href);
  if (network === null || (network === 'Maps' && search !== '')) return false;
  return isNobody(pathname.replace(PROFILE_PATH, ''));
}
