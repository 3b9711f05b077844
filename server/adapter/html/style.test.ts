import { expect, test } from 'vitest';

import { createShortNames } from './style.ts';

const TOKENS = ':root{--ink:#000;--gap:8px;--unused:1px}@media print{:root{--ink:#333}}';

test('short names: the same in style sheets and pages; a short constant is inlined', () => {
  const { style, page } = createShortNames(TOKENS, '.card .card-name{color:var(--ink)}.is-done{}');
  expect(style(TOKENS)).toBe(':root{--a:#000;}@media print{:root{--a:#333}}');
  expect(style('.card-name.is-done{color:var(--ink);margin:var(--gap) .5em}')).toBe(
    '.b.is-done{color:var(--a);margin:8px .5em}',
  );
  expect(style('.other--ink{color:var(--own)}')).toBe('.other--ink{color:var(--own)}');
  expect(page('<p class="card-name other" id="card"><path d="M0"></path></p>')).toBe(
    '<p class="b other" id=card><path d="M0"/></p>',
  );
  const untouched =
    '<head><meta name="card"></head><script>a[b="c"]</script><a href="/" title="a b"/>';
  expect(page(`${untouched}<p hidden="">d</body></html>`)).toBe(`${untouched}<p hidden>d`);
});
