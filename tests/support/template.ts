import { readFileSync } from 'node:fs';

/** The text of a file, with values in the place of its words in capitals, such as $PORT. */
export function fillTemplate(path: string, values: Readonly<Record<string, string | number>>) {
  const text = readFileSync(path, 'utf8');
  return text.replace(/\$([A-Z_]+)/g, (_, word: string) => String(values[word]));
}
