import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { FIGURES, PARTS } from './figures.mjs';
import { renderPage, toRows, unexplained } from './report.mjs';

const PAGE = join(import.meta.dirname, '..', 'docs', 'performance.md');
function met(part, id, value) {
  return toRows(part, { [id]: value }, {})
    .map((row) => row.met)
    .join('');
}
/** The formatter aligns the columns of tables. */
const withoutAlignment = (text) => text.replace(/[ -]+/g, ' ').trim();

test('performance page: shows the stored figures', () => {
  expect(withoutAlignment(readFileSync(PAGE, 'utf8'))).toBe(withoutAlignment(renderPage()));
});

test('performance page: every missed target has a reason', () => {
  expect(unexplained()).toEqual([]);
});

test('figures: every part has a heading, and every id is used once', () => {
  expect(Object.keys(PARTS)).toEqual(Object.keys(FIGURES));
  const ids = Object.values(FIGURES).flatMap((rows) => rows.map(([id]) => id));
  expect(new Set(ids).size).toBe(ids.length);
});

test('figures: a target is met at its bound, and missed beyond it', () => {
  expect([met('misses', 'miss-cpu', 1.1), met('misses', 'miss-cpu', 1.11)]).toEqual(['yes', 'no']);
  expect([met('paths', 'photo', 0.85), met('paths', 'photo', 0.84)]).toEqual(['yes', 'no']);
});

test('figures: a row has the figure of the last release, of this run, and the target', () => {
  const [row] = toRows('saves', { 'save-cpu': 0.4567 }, { 'save-cpu': 1234.5 });
  expect(row).toEqual({
    figure: 'a save: CPU ms, all threads',
    'last release': '1,235',
    'this run': '0.457',
    target: 'at most 0.4',
    met: 'no',
  });
});
