/** Without spaces. */
const WORDS =
  'undefined null NaN true 0 -1 1e1000 9007199254740993 0x0 ' +
  '../../../../etc/passwd%00 ..%2f..%2fetc%2fpasswd %00 % %zz %ff%fe __proto__ ' +
  'constructor toString hasOwnProperty $1 \\ \\\\ `id` {{7*7}} ${7*7} ' +
  '<script>alert(1)</script> javascript:alert(1) https://user:pass@example.com/ ' +
  'http://[::1 https://%zz/ \u0000 a\u0000b \u0001\u0008\u000b\u001f\u007f ' +
  '\u0080\u0085\u009f \r \n\n\n \t \u2066\u2067\u2068\u2069 \u2028\u2029 ' +
  '\u200b\u200c\u200d\ufeff \ud800 \udc00\ud800 Z̸̨̛͖͔̣͎̪̪̰̯̜̳̲͇͋̆ͅa͙͗l̷̡g͏o̵ ' +
  '\u0627\u0644\u0644\u0651\u0647 社會科學院語學研究所 👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇮🇳 １２３４５６７８９０ ९८७६५४३२१० ' +
  'tel:+91 BEGIN:VCARD\r\nTEL:112\r\nEND:VCARD =HYPERLINK("http://x") CON ' +
  'file:///etc/passwd {"$gt":""}';

/**
 * Strings that have broken other services, with examples of each kind in the Big List of Naughty
 * Strings. The list's npm package is not used, because it runs git in its install folder.
 */
export const HOSTILE_STRINGS: readonly string[] = [
  ...WORDS.split(' '),
  '',
  ' ',
  "'; DROP TABLE users; --",
  "1' OR '1'='1",
  '" OR ""="',
  '$$; SELECT pg_sleep(10); --',
  '$(touch /tmp/x)',
  '"><img src=x onerror=alert(1)>',
  'https://ex ample.com',
  `https://example.com/${'a'.repeat(3000)}`,
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  '\r\nSet-Cookie: x=1',
  '\u202e\u202dtxet desrever',
  'كل لغة ﷺ ﷽',
  'अनन्या राव्',
  'தமிழ் எழுத்து',
  'ﬀ ﬃ ㎏ ① Å Å',
  '+91 98765 43210;ext=1',
  'x'.repeat(119) + '👩‍💻',
  'x'.repeat(5000),
  '\u0301'.repeat(200),
  '[object Object]',
  'Bearer null',
];
