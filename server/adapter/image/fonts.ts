import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FAMILY = '@expo-google-fonts/noto-sans';
/** Latin, Greek, Cyrillic and Devanagari in one font, then the other scripts of India. */
const PACKAGES = [
  FAMILY,
  ...'bengali gurmukhi gujarati oriya tamil telugu kannada malayalam arabic'
    .split(' ')
    .map((script) => `${FAMILY}-${script}`),
];
const WEIGHTS = ['400Regular', '600SemiBold'];

const { resolve } = createRequire(import.meta.url);

/** A fontconfig file with the fonts of our packages and no others. */
export class FontConfiguration {
  #folder = '';

  /** Call it before every picture: systems delete old temporary files. */
  write(): string {
    this.#folder ||= mkdtempSync(join(tmpdir(), 'tessera-fonts-'));
    const path = join(this.#folder, 'fonts.conf');
    if (existsSync(path)) return path;
    mkdirSync(this.#folder, { recursive: true });
    // On a full disk a file is cut.
    writeFileSync(`${path}.part`, configuration(join(this.#folder, 'cache')));
    renameSync(`${path}.part`, path);
    return path;
  }

  remove(): void {
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true });
  }
}

function configuration(cache: string): string {
  const folders = PACKAGES.flatMap((name) => {
    const root = dirname(resolve(`${name}/package.json`));
    return WEIGHTS.map((weight) => join(root, weight));
  });
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((path) => `<dir>${escapeXml(path)}</dir>`),
    `<cachedir>${escapeXml(cache)}</cachedir>`,
    // Latin letters look the same inside a text of another script.
    '<match target="pattern"><edit name="family" mode="append"><string>Noto Sans</string></edit></match>',
    '</fontconfig>',
  ].join('\n');
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
