import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { print } from '#tests/support/print.ts';
import { SAMPLE_FILES, sortedByName } from '#tests/support/vcards.ts';
import type { Property } from '#tests/support/vcards.ts';

const PYTHON = '/usr/bin/python3';
const JAVA = '/usr/bin/java';
const JARS = ['ez-vcard', 'vinnie'].map((name) => `/usr/share/java/${name}.jar`);
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

const EVOLUTION =
  "import gi; gi.require_version('EBookContacts', '1.2'); from gi.repository import EBookContacts";

const hasEvolution = runs(PYTHON, ['-c', EVOLUTION]);
const hasEzVcard = JARS.every((path) => existsSync(path)) && runs('/usr/bin/javac', ['-version']);
if (!hasEvolution)
  print('gir1.2-ebookcontacts-1.2 is not installed: Evolution does not check the vCards.');
if (!hasEzVcard)
  print('libez-vcard-java or a JDK is not installed: ez-vcard does not check the vCards.');

function runs(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

const run = (program: string, args: string[], input: string) =>
  execFileSync(program, args, { input, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX });

function readByEvolution(files: string[]): Property[][] {
  const reader = join(import.meta.dirname, 'read-vcards.py');
  return JSON.parse(run(PYTHON, [reader], JSON.stringify(files))) as Property[][];
}

/** Parses a line of the Java program: the name, and values in base64. */
function parseLine(line: string): Property {
  const [name = '', ...values] = line.split(' ');
  const texts = values.map((value) => Buffer.from(value, 'base64').toString('utf8'));
  return [name, name === 'n' || texts.length > 1 ? texts : texts[0]];
}

function readByEzVcard(files: string[]): Property[][] {
  const reader = join(import.meta.dirname, 'ReadVcards.java');
  return run(JAVA, ['-cp', JARS.join(':'), reader], files.join(''))
    .split('\n\n')
    .slice(0, -1)
    .map((card) => card.split('\n').map(parseLine));
}

/** ez-vcard reads a phone that starts with TEL: as a URI and writes the scheme in lower case. */
function asEzVcardReads([name, value]: Property): Property {
  return [name, name === 'tel' ? String(value).replace(/^tel:/i, 'tel:') : value];
}

const READERS = [
  ['Evolution’s EVCard', hasEvolution, readByEvolution, (one: Property) => one],
  ['ez-vcard', hasEzVcard, readByEzVcard, asEzVcardReads],
] as const;

for (const [name, isInstalled, read, as] of READERS)
  test.skipIf(!isInstalled)(`vCard: ${name} reads each field of 1,250 cards, and no other`, () => {
    const expected = SAMPLE_FILES.map((one) => one.expected.map(as));
    const found = read(SAMPLE_FILES.map(({ file }) => file));
    expect(sortedByName(found)).toEqual(sortedByName(expected));
  });
