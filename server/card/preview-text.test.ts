import { expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { createRenderer } from '#server/image/renderer.ts';

import { renderText, renderableText } from './preview-text.ts';

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

test('preview text: is cut after NFKC, which makes up to 18 characters of one', () => {
  expect(renderableText('\ufdfa'.repeat(120)).length).toBeLessThanOrEqual(120);
  expect(renderableText('a'.repeat(120))).toBe('a'.repeat(120));
});

test('preview text: the longest text renders at most 10 times', async () => {
  const box = { weight: 'Regular', colour: '#000000', widthPx: 600, linesMax: 1 } as const;
  const renderer = createRenderer(MINUTE_MS);
  for (const text of ['W'.repeat(120), 'W'.repeat(12)]) {
    let count = 0;
    const image = await renderer.render((renderImage) =>
      renderText(
        (input) => {
          count += 1;
          return renderImage(input);
        },
        { ...box, text, sizesPx: [80, 72, 64, 56, 48, 42], heightPxMax: 600 },
      ),
    );
    expect([count <= 10, image.width <= 600]).toEqual([true, true]);
  }
  renderer.close();
});
