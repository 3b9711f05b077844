import { isUtf8 } from 'node:buffer';

import { parse } from 'csv-parse/sync';

import { parseHandle } from '#domain/handle.ts';
import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput } from '#domain/profile-field.ts';
import { profileChangeSchema } from '#domain/profile.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { parseLoginPhone } from '#server/adapter/otp/phone.ts';
import { ApiError } from '#server/error.ts';

import { AdminError } from './context.ts';

const TEXTS = PROFILE_FIELD_NAMES.filter((name) => name !== 'phone');
const COLUMNS: readonly string[] = ['phone', ...TEXTS, ...NETWORKS];

/** A phone that a spreadsheet has read as a number, such as 9.19877E+11. */
const SHORTENED = /^\d+(?:[.,]\d+)?E\+?\d+$/i;
/** The apostrophe that keeps a spreadsheet from reading a text as a formula, as in contacts.csv. */
const APOSTROPHE = /^'(?=[=+\-@])/;

export interface ImportRow {
  /** The first line of the row in the file. */
  readonly line: number;
  /** E.164, or as typed in a row that is refused. */
  readonly phone: string;
  readonly change: ProfileChange;
  /** Why the row is refused; '' if it is not. */
  readonly why: string;
}

/** Reads a CSV file of people (docs/operating.md#people). Throws AdminError if the file cannot be read as one. */
export function readPeople(bytes: Uint8Array, countries: readonly string[]): readonly ImportRow[] {
  const [header, ...records] = readRecords(bytes);
  const columns = readHeader(header?.record ?? []);
  const lines = new Map<string, number>();
  return records.map(({ record, line }) => {
    const cells = new Map(columns.map((column, at) => [column, record[at]?.trim() ?? '']));
    let phone = cells.get('phone') ?? '';
    try {
      if (record.length !== columns.length)
        throw new AdminError(`has ${record.length} cells and not ${columns.length}`);
      phone = readPhone(phone, countries);
      const earlier = lines.get(phone);
      if (earlier !== undefined) throw new AdminError(`has the phone of line ${earlier}`);
      lines.set(phone, line);
      return { line, phone, change: readChange(cells), why: '' };
    } catch (error) {
      if (error instanceof AdminError || error instanceof ApiError)
        return { line, phone, change: {}, why: error.message };
      throw error;
    }
  });
}

function readRecords(bytes: Uint8Array) {
  if (!isUtf8(bytes)) throw new AdminError('This file is not UTF-8. Save it as "CSV UTF-8".');
  // Every line break becomes LF, because csv-parse counts a CRLF in a quoted cell as two lines.
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n');
  const [first = ''] = text.split('\n', 1);
  const delimiter = first.split(';').length > first.split(',').length ? ';' : ',';
  const records: { readonly record: readonly string[]; readonly line: number }[] = [];
  let line = 1;
  const on_record = (record: readonly string[], { lines }: { readonly lines: number }) => {
    if (record.some((cell) => cell.trim() !== '')) records.push({ record, line });
    line = lines + 1;
    return null;
  };
  try {
    parse(text, { delimiter, relax_column_count: true, on_record });
    return records;
  } catch (error) {
    throw new AdminError(`This is no CSV file. ${error instanceof Error ? error.message : ''}`);
  }
}

function readHeader(titles: readonly string[]): readonly string[] {
  const columns = titles.map((title) => {
    const name = title.trim().toLowerCase();
    const column = COLUMNS.find((one) => one.toLowerCase() === name);
    if (column) return column;
    throw new AdminError(`"${title}" is no column. The columns are: ${COLUMNS.join(', ')}.`);
  });
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice) throw new AdminError(`The column ${twice} is there twice.`);
  if (!columns.includes('phone')) throw new AdminError('The first line has no column phone.');
  return columns;
}

function readPhone(typed: string, countries: readonly string[]): string {
  if (typed === '') throw new AdminError('has no phone');
  if (SHORTENED.test(typed))
    throw new AdminError(
      `${typed} is what a spreadsheet has made of a phone: format the column as text, and type it again`,
    );
  return parseLoginPhone(typed.replace(/^'/, ''), countries);
}

/** An empty cell changes nothing, '-' empties the field. Throws AdminError with the name of the column. */
function readChange(cells: ReadonlyMap<string, string>): ProfileChange {
  const read = (column: string, clean: (text: string) => string | null) => {
    const cell = cells.get(column) ?? '';
    return cell === '' ? [] : [[column, clean(cell === '-' ? '' : cell.replace(APOSTROPHE, ''))]];
  };
  const handles = NETWORKS.flatMap((network) =>
    read(network, (text) => {
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
