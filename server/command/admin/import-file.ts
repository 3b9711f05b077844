import { isUtf8 } from 'node:buffer';

import { parse } from 'csv-parse/sync';

import { parseHandle } from '#domain/handle.ts';
import { emailHint } from '#domain/hint.ts';
import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput } from '#domain/profile-field.ts';
import { profileChangeSchema } from '#domain/profile.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { cleanIdentifier, trimText } from '#domain/text.ts';
import { parseLoginPhone } from '#server/adapter/otp/phone.ts';
import { ApiError } from '#server/error.ts';

import { AdminError } from './context.ts';
import { readLoginEmail } from './login-email.ts';
import { isEmailColumn, isPlaceholder } from './placeholder.ts';

const TEXTS = PROFILE_FIELD_NAMES.filter((name) => name !== 'phone');
const COLUMNS: readonly string[] = ['phone', ...TEXTS, ...NETWORKS, 'loginEmail'];

/** Matches a phone that a spreadsheet has read as a number, such as 9.19877E+11 or 9876543210.0. */
const NUMBER = /^\d+(?:[.,]\d+)?E\+?\d+$|^\d+[.,]0+$/i;
export interface ImportRow {
  /** The first line of the row in the file. */
  readonly line: number;
  /** In E.164, or as it was typed if the row is refused. */
  readonly phone: string;
  readonly change: ProfileChange;
  /** The sign-in email, null to remove it, or undefined if the cell is empty. */
  readonly loginEmail?: string | null | undefined;
  /** Says why the row is refused. '' if it is not. */
  readonly why: string;
  /** Says which cells are left out and why. '' if there are none. */
  readonly warning: string;
}

type Cells = ReadonlyMap<string, string>;

/** Reads a CSV file of people (docs/operate/admin.md#people). Throws AdminError if the file cannot be read as one. */
export function readPeople(bytes: Uint8Array, countries: readonly string[]): readonly ImportRow[] {
  const [header, ...records] = readRecords(bytes);
  const columns = readHeader(header?.cells ?? null);
  const lines = new Map<string, number>();
  return records.map(({ cells: record, line, first }) => {
    let phone = cleanCell(first);
    try {
      const cells = nameCells(record, columns);
      phone = cells.get('phone') ?? '';
      phone = readPhone(phone, countries);
      const earlier = lines.get(phone);
      if (earlier !== undefined) throw new AdminError(`has the phone of line ${earlier}`);
      lines.set(phone, line);
      const warnings = findPlaceholders(cells);
      const filled = new Map([...cells].filter(([column]) => !warnings.has(column)));
      const warning = [...warnings.values()].join('; ');
      const loginEmail = readEmailCell(filled.get('loginEmail') ?? '');
      return { line, phone, change: readChange(filled), loginEmail, why: '', warning };
    } catch (error) {
      if (error instanceof AdminError || error instanceof ApiError)
        return { line, phone, change: {}, why: error.message, warning: '' };
      throw error;
    }
  });
}

/** The field of each column, or null if a column has no title. */
type Columns = readonly (string | null)[];

function readHeader(titles: readonly string[] | null): Columns {
  if (titles === null)
    throw new AdminError('The column titles of this file cannot be read. Save it as a CSV file.');
  const columns = titles.map((title) => {
    const name = cleanIdentifier(title).toLowerCase();
    if (name === '') return null;
    const column = COLUMNS.find((one) => one.toLowerCase() === name);
    if (column) return column;
    throw new AdminError(
      `The column "${title}" is unknown. Rename or remove it. The columns are: ${COLUMNS.join(', ')}.`,
    );
  });
  const twice = columns.find((column, at) => column !== null && columns.indexOf(column) !== at);
  if (twice) throw new AdminError(`The column ${twice} appears twice. Remove one of them.`);
  if (!columns.includes('phone'))
    throw new AdminError(
      'The first line has no column phone. Add one with the login phone of each person.',
    );
  return columns;
}

/** Drops the apostrophe or the `="…"` with which spreadsheets mark a text. */
const cleanCell = (cell: string) => trimText(trimText(cell).replace(/^'|^="([^"]*)"$/, '$1'));

/** Drops `mailto:` and its parameters, which a spreadsheet adds when it turns an email into a link. */
const dropScheme = (cell: string) => cell.replace(/^mailto:([^?]*).*$/i, '$1');

/** Treats cells that are missing at the end of the row as empty. */
function nameCells(record: readonly string[] | null, columns: Columns): Cells {
  if (record === null)
    throw new AdminError(
      'has a quotation mark without a partner: write "" for a quotation mark inside a text',
    );
  const cells = new Map<string, string>();
  for (const [at, cell] of record.map(cleanCell).entries()) {
    const column = columns[at] ?? null;
    if (column !== null) cells.set(column, isEmailColumn(column) ? dropScheme(cell) : cell);
    else if (cell !== '') throw new AdminError(`has "${cell}" in a column without a title`);
  }
  return cells;
}

function readPhone(typed: string, countries: readonly string[]): string {
  if (typed === '') throw new AdminError('has no phone');
  rejectNumber(typed);
  return parseLoginPhone(typed, countries);
}

function readEmailCell(cell: string): string | null | undefined {
  if (cell === '') return undefined;
  return cell === '-' ? null : readLoginEmail(cell);
}

function rejectNumber(typed: string): void {
  if (NUMBER.test(cleanIdentifier(typed)))
    throw new AdminError(
      `${typed} is a phone that a spreadsheet has changed to a number: format the column as text, and type it again`,
    );
}

/** Returns, by column, the warning about each cell that is left out like an empty one. */
function findPlaceholders(cells: Cells): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [column, cell] of cells) {
    if (cell === '' || cell === '-' || column === 'phone') continue;
    if (isPlaceholder(column, cell))
      found.set(column, `${column} "${cell}" is a placeholder and is left out`);
    else if (column === 'email' && emailHint(cleanIdentifier(cell)) !== '')
      found.set(column, `${column} "${cell}" is not an email address and is left out`);
  }
  return found;
}

/** An empty cell changes nothing, and '-' clears the field. Throws AdminError, which names the column. */
function readChange(cells: Cells): ProfileChange {
  const read = (column: string, clean: (text: string) => string | null) => {
    const cell = cells.get(column) ?? '';
    return cell === '' ? [] : [[column, clean(cell === '-' ? '' : cell)]];
  };
  const handles = NETWORKS.flatMap((network) =>
    read(network, (text) => {
      if (network === 'Whatsapp') rejectNumber(text);
      const parsed = parseHandle(network, text);
      if (parsed.kind === 'value') return parsed.value;
      throw new AdminError(`${network}: ${parsed.message}`);
    }),
  );
  const texts = TEXTS.flatMap((name) => read(name, (text) => cleanFieldInput(name, text)));
  const { data, error } = profileChangeSchema.safeParse({
    ...Object.fromEntries(texts),
    socialMediaHandles: Object.fromEntries(handles),
  });
  if (data) return data;
  const [issue] = error.issues;
  throw new AdminError(`${String(issue?.path.at(-1))} ${issue?.message}`);
}

interface CsvRecord {
  /** The first line of the record in the file. */
  readonly line: number;
  /** This is null if a quotation mark has no partner. */
  readonly cells: readonly string[] | null;
  /** The text before the first separator, even if the cells cannot be read. */
  readonly first: string;
}

const DELIMITERS = [',', ';', '\t'];
/**
 * Matches Excel's line before the titles, to which a program that saves the file again may add separators and quotes.
 */
const SEPARATOR_LINE = /^"?sep=(.)"?\1*$/i;

/**
 * Returns the records that are not blank. A record that is not valid CSV counts as one line, so that a
 * quotation mark without a partner spoils no other line. Throws AdminError if the file is not UTF-8.
 */
function readRecords(bytes: Uint8Array): readonly CsvRecord[] {
  // A file in UTF-16 without a byte order mark can be valid UTF-8, with a NUL in each character.
  if (!isUtf8(bytes) || bytes.subarray(0, 2).includes(0))
    throw new AdminError('This file is not UTF-8. Save it as "CSV UTF-8".');
  const lines = new TextDecoder().decode(bytes).split(/\r\n?|\n/);
  const [, separator] = SEPARATOR_LINE.exec(lines[0] ?? '') ?? [];
  const delimiter = separator ?? likelyDelimiter(lines.find((line) => line.trim() !== '') ?? '');
  const records: CsvRecord[] = [];
  let at = separator === undefined ? 0 : 1;
  while (at < lines.length) {
    const end = endOfRecord(lines, at);
    const cells = readCells(lines.slice(at, end).join('\n'), delimiter);
    const [first = ''] = cells ?? lines[at]?.split(delimiter, 1) ?? [];
    if (cells?.some((cell) => trimText(cell) !== '') ?? true)
      records.push({ line: at + 1, cells, first });
    at = cells === null ? at + 1 : end;
  }
  return records;
}

function likelyDelimiter(titles: string): string {
  const count = (delimiter: string) => titles.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** A line break in quotes belongs to the record (RFC 4180, section 2.6). */
function endOfRecord(lines: readonly string[], start: number): number {
  let isQuoted = false;
  for (let at = start; at < lines.length; at += 1) {
    if ((lines[at] ?? '').split('"').length % 2 === 0) isQuoted = !isQuoted;
    if (!isQuoted) return at + 1;
  }
  return lines.length;
}

/** Matches the equals sign of an unquoted `="…"`. The lookbehind after it keeps the search linear. */
const TEXT_FORMULA = /=(?<=(?:^|[,;\t|])\s*=)(?="[^"]*"\s*(?:$|[,;\t|]))/g;

function readCells(record: string, delimiter: string): readonly string[] | null {
  try {
    const text = record.replace(TEXT_FORMULA, '');
    return parse(text, { delimiter, relax_column_count: true, trim: true })[0] ?? [];
  } catch {
    return null;
  }
}
