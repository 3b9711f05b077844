import { expect, test } from 'vitest';

import { renderableText } from './preview-text.ts';

test.each([
  ['Asha Rao', 'Asha Rao'],
  ['श्रीकृष्ण त्रिपाठी', 'श्रीकृष्ण त्रिपाठी'],
  ['സാഫ്റ്റ്‌വെയര്‍', 'സാഫ്റ്റ്‌വെയര്‍'],
  ['🦁 Rahul ★ 王', 'Rahul'],
  ['👩‍💻 Dev', 'Dev'],
  ['𝓡𝓪𝓱𝓾𝓵', 'Rahul'],
  ['Rao & Søn — “Pune”, ₹5', 'Rao & Søn — “Pune”, ₹5'],
  ['王小明', ''],
])('preview text: %s is rendered as %s', (text, expected) => {
  expect(renderableText(text)).toBe(expected);
});
