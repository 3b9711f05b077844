/** Control characters could make the terminal run an owner's or visitor's text as a command. */
const CONTROL = /\p{Cc}+/gu;

/** Labels of keys whose own words would not explain the value. */
const LABELS: Readonly<Record<string, string>> = {
  id: 'ID',
  path: 'Card',
  bio: 'About me',
  upi: 'UPI ID',
  gstin: 'GSTIN',
  bytes: 'Size of the database in bytes',
  cards: 'Complete cards',
  why: 'Details',
  warned: 'With a warning',
  notice: 'Notice shown',
  rows: 'Cards with pictures',
  rowsWithoutFiles: 'Missing picture files',
  filesWithoutRows: 'Picture files without a card',
  notAsked: 'Gateways that can be tested only by sending a message',
};

/** Returns the label of a key, such as 'Login phone' for `loginPhone` and 'Held' for `isHeld`. */
export function labelOf(key: string): string {
  const words = key
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`);
  return LABELS[key] ?? words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** Returns a sentence as it is, a list as a line for each item, and an object as a line for each value. */
export function formatResult(result: unknown): string {
  if (Array.isArray(result)) return result.map(formatValue).join('\n') || 'none';
  if (!isRow(result)) return formatValue(result);
  const lines = Object.entries(result).map(([key, value]) =>
    Array.isArray(value)
      ? `${labelOf(key)}:\n${formatResult(value)}`
      : `${labelOf(key)}: ${formatValue(value)}`,
  );
  return lines.join('\n');
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isRow(value)) {
    const parts = Object.entries(value).map(([key, one]) => `${labelOf(key)}: ${formatValue(one)}`);
    return parts.join(', ') || 'none';
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(CONTROL, ' ');
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
