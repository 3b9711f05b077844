import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { test } from 'vitest';

import { applyChange, readRecipe } from './support/recipe-text.ts';

const ROOT = join(import.meta.dirname, '..');

test.each(readdirSync(join(ROOT, 'docs/recipes')))(
  'docs/recipes/%s: its changes fit the files',
  (name) => {
    const texts = new Map<string, string>();
    for (const change of readRecipe(name.replace('.md', '')).changes) {
      const file = join(ROOT, change.path);
      const text = texts.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
      texts.set(file, applyChange(text, change));
    }
  },
);
