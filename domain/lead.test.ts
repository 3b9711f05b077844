import { expect, test } from 'vitest';

import { cleanLeadInput } from './lead.ts';

test('what a visitor pasted loses what the server would refuse', () => {
  expect(
    [
      '\u202a+91 98765\u00a043210\u202c',
      ' Asha\tRao ',
      'a\u0000b\r\nc',
      'half \ud83d',
      'क्‍ष 👩‍💻',
    ].map(cleanLeadInput),
  ).toEqual(['+91 98765\u00a043210', 'Asha Rao', 'abc', 'half', 'क्‍ष 👩‍💻']);
});
