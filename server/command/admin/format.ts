/** Characters that a terminal would interpret. The texts are of owners and visitors. */
const CONTROL = /\p{Cc}+/gu;

export function formatResult(result: unknown): string {
  if (Array.isArray(result)) return result.map(formatValue).join('\n') || 'none';
  if (!isRow(result)) return formatValue(result);
  const lines = Object.entries(result).map(([key, value]) =>
    Array.isArray(value) ? `${key}:\n${formatResult(value)}` : `${key}: ${formatValue(value)}`,
  );
  return lines.join('\n');
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isRow(value)) {
    const parts = Object.entries(value).map(([key, one]) => `${key} ${formatValue(one)}`);
    return parts.join(', ');
  }
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return shown.replace(CONTROL, ' ');
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
