import type { CSSProperties } from 'react';

import { accentsOf } from '#domain/palette.ts';
import type { Palette, Scheme } from '#domain/palette.ts';

const DARK = /prefers-color-scheme:\s*dark/;

/** Returns the tokens of a colour scheme (view/tokens.css), whichever the screen has. */
export function schemeStyle(palette: Palette, scheme: Scheme): CSSProperties {
  const tokens: Record<string, string> = {};
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSStyleRule) addTokens(tokens, rule);
      if (rule instanceof CSSMediaRule && scheme === 'dark' && DARK.test(rule.conditionText)) {
        for (const inner of rule.cssRules) addTokens(tokens, inner);
      }
    }
  }
  return { ...tokens, ...accentsOf(palette, scheme), colorScheme: scheme };
}

function addTokens(tokens: Record<string, string>, rule: CSSRule): void {
  if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ':root') return;
  for (const name of rule.style) {
    if (name.startsWith('--')) tokens[name] = rule.style.getPropertyValue(name);
  }
}
