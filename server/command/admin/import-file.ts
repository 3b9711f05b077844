import { parse } from 'csv-parse/sync';

import { parseHandle } from '#domain/handle.ts';
import { NETWORKS } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { cleanFieldInput } from '#domain/profile-field.ts';
import { profileChangeSchema } from '#domain/profile.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { parseLoginPhone } from '#server/adapter/otp/phone.ts';
import { ApiError } from '#server/error.ts';

import { AdminError } from './context.ts';

const TEXTS = ['name', 'designation', 'companyName', 'email', 'bio'] as const;
const COLUMNS = ['phone', ...TEXTS, ...NETWORKS] as const;
type Column = (typeof COLUMNS)[number];

/** It unsets a field; an empty cell changes nothing. */
const UNSET = '-';
/** What a spreadsheet makes of a phone in a column of numbers. */
const SHORTENED = /^\d+(?:[.,]\d+)?E\+?\d+$/i;
/** An apostrophe keeps a spreadsheet from reading a formula, as in contacts.csv. */
const APOSTROPHE = /^'(?=[=+\-@])/;

export interface ImportRow {
  /** The first line of the row in the file. */
  readonly line: number;
  /** E.164. */
  readonly phone: string;
  readonly change: ProfileChange;
}

export interface RefusedRow {
  readonly line: number;
  readonly phone: string;
  readonly why: string;
}

/** Reads a CSV file of people (docs/operating.md#people). Throws AdminError if it is none. */
export function readPeople(
  bytes: Uint8Array,
  countries: readonly string[],
): readonly (ImportRow | RefusedRow)[] {
  const [header, ...records] = readRecords(bytes);
  const columns = readHeader(header?.record ?? []);
  const lines = new Map<string, number>();
  return records.map(({ record, line }) => {
    const cells = new Map(columns.map((column, at) => [column, (record[at] ?? '').trim()]));
    const typed = cells.get('phone') ?? '';
    try {
      if (record.length !== columns.length)
        throw new AdminError(`has ${record.length} cells and not ${columns.length}`);
      const phone = readPhone(typed, countries);
      const earlier = lines.get(phone);
      if (earlier !== undefined) throw new AdminError(`has the phone of line ${earlier}`);
      lines.set(phone, line);
      return { line, phone, change: readChange(cells) };
    } catch (error) {
      if (error instanceof AdminError || error instanceof ApiError)
        return { line, phone: typed, why: error.message };
      throw error;
    }
  });
}

interface FileRecord {
  readonly record: readonly string[];
  readonly line: number;
}

function readRecords(bytes: Uint8Array): FileRecord[] {
  // One line break in every file: csv-parse counts CRLF in a quoted cell as two.
  const text = decode(bytes).replace(/\r\n?/g, '\n');
  const firstLine = /^.*/.exec(text)?.[0] ?? '';
  const hasSemicolons = firstLine.split(';').length > firstLine.split(',').length;
  /** The last line of each record. */
  const ends: number[] = [];
  try {
    const records = parse(text, {
      delimiter: hasSemicolons ? ';' : ',',
      relax_column_count: true,
      on_record: (record: string[], { lines }) => {
        ends.push(lines);
        return record;
      },
    });
    return records
      .map((record, at) => ({ record, line: (ends[at - 1] ?? 0) + 1 }))
      .filter(({ record }) => record.some((cell) => cell.trim() !== ''));
  } catch (error) {
    throw new AdminError(`This is no CSV file. ${error instanceof Error ? error.message : ''}`);
  }
}

/** Without the mark at its start. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AdminError('This file is not UTF-8. Save it as "CSV UTF-8".');
  }
}

function readHeader(titles: readonly string[]): readonly Column[] {
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

/** Throws AdminError with the name of the column. */
function readChange(cells: ReadonlyMap<Column, string>): ProfileChange {
  const given = (column: Column) => {
    const cell = cells.get(column) ?? '';
    return cell === ''
      ? []
      : [[column, cell === UNSET ? '' : cell.replace(APOSTROPHE, '')] as const];
  };
  const texts = TEXTS.flatMap(given).map(([column, text]) => [
    column,
    cleanFieldInput(column as (typeof TEXTS)[number], text),
  ]);
  const handles = NETWORKS.flatMap(given).map(([column, text]) => {
    const parsed = parseHandle(column as Network, text);
    if (parsed.kind !== 'value') throw new AdminError(`${column}: ${parsed.message}`);
    return [column, parsed.value];
  });
  const { data, error } = profileChangeSchema.safeParse({
    ...Object.fromEntries(texts),
    ...(handles.length > 0 && { socialMediaHandles: Object.fromEntries(handles) }),
  });
  if (data) return data;
  const [issue] = error.issues;
  throw new AdminError(
    `${issue?.path.at(-1)?.toString() ?? ''} ${issue?.message ?? 'is not valid'}`,
  );
}
