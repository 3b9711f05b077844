import { readFileSync } from 'node:fs';

/** Returns the text of a file in which words in capitals, such as $PORT, are replaced by values. */
export function fillTemplate(path: string, values: Readonly<Record<string, string | number>>) {
  const text = readFileSync(path, 'utf8');
  return text.replace(/\$([A-Z_]+)/g, (_, word: string) => String(values[word]));
}
