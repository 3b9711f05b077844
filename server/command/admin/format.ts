type Row = Readonly<Record<string, unknown>>;

/** Characters that a terminal would interpret. The texts are of owners and visitors. */
const CONTROL = /\p{Cc}+/gu;
const GAP = '  ';

/** Returns a result of a command as text for a terminal: lists as tables, the rest as lines. */
export function formatResult(result: unknown): string {
  if (Array.isArray(result)) return formatList(result);
  if (!isRow(result)) return formatValue(result);
  const [lists, values] = partition(Object.entries(result), ([, value]) => Array.isArray(value));
  const width = longest(values.map(([key]) => key));
  return [
    ...values.map(([key, value]) => `${key.padEnd(width)}${GAP}${formatValue(value)}`.trimEnd()),
    ...lists.map(([key, list]) => `\n${key}:\n${formatList(list as unknown[])}`),
  ].join('\n');
}

function formatList(list: readonly unknown[]): string {
  if (list.length === 0) return 'none';
  const rows = list.filter(isRow);
  if (rows.length < list.length) return list.map(formatValue).join('\n');
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [keys, ...rows.map((row) => keys.map((key) => formatValue(row[key])))];
  const widths = keys.map((_, index) => longest(cells.map((line) => line[index] ?? '')));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isRow(value)) {
    return Object.entries(value)
      .map(([key, one]) => `${key} ${formatValue(one)}`)
      .join(', ');
  }
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return shown.replace(CONTROL, ' ');
}

/** Returns the length of the longest text. Math.max fails with a hundred thousand arguments. */
function longest(texts: readonly string[]): number {
  return texts.reduce((length, text) => Math.max(length, text.length), 0);
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
