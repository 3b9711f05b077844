import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { latinLines } from '#tests/support/latin-words.ts';

import type { Catalogue } from './catalogue.ts';
import { CATALOGUES } from './catalogues.ts';
import { en } from './en.ts';
import { TRANSLATION_LANGUAGES } from './language.ts';
import { fillText, pluralText } from './plural.ts';

/** The texts of a catalogue by their path; a plural is one text for each form. */
function textsOf(value: object, path = ''): [path: string, text: string][] {
  return Object.entries(value).flatMap(([key, text]: [string, string | object]) =>
    typeof text === 'string' ? [[`${path}${key}`, text] as const] : textsOf(text, `${path}${key}.`),
  ) as [string, string][];
}

const placesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted().join();
const ENGLISH = new Map(textsOf(en));

test.each(TRANSLATION_LANGUAGES)('catalogue %s: places, plurals, no Latin letters', (language) => {
  const { about: _, ...texts } = CATALOGUES[language];
  const wrong = textsOf(texts).filter(([path, text]) => {
    const english = ENGLISH.get(path.replace(/\w+$/, 'other')) ?? ENGLISH.get(path) ?? '';
    const isLatin = latinLines(text.replace(/\{\w+\}/g, '')).length > 0;
    return isLatin || placesOf(text) !== placesOf(english) || text.trim() === '';
  });
  expect(wrong).toEqual([]);
  // A line of its own in the sheet.
  expect(texts.page.youPay).toMatch(/\{name\}$/);
  // Plurals have forms of the language only.
  const { policies, sample } = texts.signin;
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const known = new Set<string>([...forms, ...Object.keys({ ...policies, ...sample })]);
  const found = textsOf(texts).flatMap(([path]) => path.split('.')[2] ?? []);
  expect(found.filter((form) => !known.has(form))).toEqual([]);
});

test('languages: their lists are the files of the folder', async () => {
  const folder = readdirSync(import.meta.dirname);
  const files = folder.flatMap((file) => /^\w\w(?=\.ts)/.exec(file) ?? []);
  const codes = [...new Set<string>([...TRANSLATION_LANGUAGES, ...files])].filter(
    (code) => code !== 'en',
  );
  const modules = codes.map((code) => import(`./${code}.ts`) as Promise<Record<string, Catalogue>>);
  const loaded = await Promise.all(modules);
  const lines = (format: (code: string, about: Catalogue['about']) => string) =>
    codes.map((code, index) => format(code, loaded[index]?.[code]?.about ?? en.about)).join('');
  const imports = files.toSorted().map((code) => `import { ${code} } from './${code}.ts';\n`);
  const names = lines((code, { name }) => `  ${code}: '${name}',\n`);
  const readers = lines((code, { name, readBy }) => `- \`${code}\` ${name}: ${readBy}\n`);
  const list = (text: string) =>
    text
      .replace(/^(?:import \{ \w\w \}.*\n)+/, imports.join(''))
      .replace(/(?<=\{ en)(?:, \w\w)+/, codes.map((code) => `, ${code}`).join(''))
      .replace(/(?<=_NAMES = \{\n)[^}]+/, names)
      .replace(/(?:- `.*\n)+/, readers);
  for (const path of ['catalogues.ts', 'language.ts', '../../docs/develop/languages.md']) {
    const file = join(import.meta.dirname, path);
    await expect(list(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
  }
});

test('plural text: has the form of its language; a place without a value stays', () => {
  expect(pluralText('en', en.answer.waitSeconds, 1)).toBe('Try again in 1 second.');
  expect(pluralText('hi', CATALOGUES.hi.answer.waitHours, 3)).toBe('3 घंटे बाद फिर कोशिश करें।');
  expect(fillText('{name}, {count}', { name: '$&' })).toBe('$&, {count}');
});

test('catalogue ur: a number of a phone is isolated, so that its groups keep their order', () => {
  const { code, answer } = CATALOGUES.ur;
  const places = [code.sentTo, code.phoneHint, answer.assumedCode];
  const isolated = places.map((text) => /\u2066([^\u2069]+)\u2069/.exec(text)?.[1]);
  expect(isolated).toEqual(['{phone}', '+91', '{code}']);
});
