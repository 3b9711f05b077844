import type { CSSProperties } from 'react';

import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
import { SCHEMES, accentsOf } from '#domain/palette.ts';
import type { Palette, Scheme } from '#domain/palette.ts';
import { Card } from '#view/card.tsx';
import { settings } from '#web/shared/http/settings.ts';
import { usePhones } from '#web/shared/ui/phone-text.ts';

const NAMES = { light: 'Light', dark: 'Dark' } as const;

interface PreviewProps {
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
}

/** The top of the card in both colour schemes. Hidden from screen readers: it shows colours only. */
export function Preview({ profile, palette, logo }: PreviewProps) {
  const phoneText = usePhones().formatPhone(profile.phone);
  return (
    <div className="appearance-previews note" aria-hidden="true">
      {SCHEMES.map((scheme) => (
        <div key={scheme} className="appearance-preview">
          <div className="appearance-frame panel" style={schemeStyle(palette, scheme)}>
            <div className="appearance-card">
              <Card
                profile={cleanProfileInput(profile)}
                palette={palette}
                logo={logo}
                phoneText={phoneText}
                iconBaseUrl={settings().iconBaseUrl}
                mode="preview"
              />
            </div>
          </div>
          {NAMES[scheme]}
        </div>
      ))}
    </div>
  );
}

/** What view/poster.css tints in the dark scheme of the screen. */
const SURFACES = ['paper', 'surface', 'tile'] as const;
const DARK = /prefers-color-scheme:\s*dark/;

/** Returns the tokens of a colour scheme (view/tokens.css), whichever the screen has. */
function schemeStyle(palette: Palette, scheme: Scheme): CSSProperties {
  const tokens: Record<string, string> = {};
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSStyleRule) addTokens(tokens, rule);
      if (rule instanceof CSSMediaRule && scheme === 'dark' && DARK.test(rule.conditionText)) {
        for (const inner of rule.cssRules) addTokens(tokens, inner);
      }
    }
  }
  const accents = accentsOf(palette, scheme);
  const surfaces = SURFACES.map((name) => {
    const plain = tokens[`--${name}`] ?? '';
    const tinted = `color-mix(in srgb, ${accents['--accent']} 6%, ${plain})`;
    return [`--frame-${name}`, scheme === 'dark' ? tinted : plain];
  });
  return { ...tokens, ...Object.fromEntries(surfaces), ...accents, colorScheme: scheme };
}

function addTokens(tokens: Record<string, string>, rule: CSSRule): void {
  if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ':root') return;
  for (const name of rule.style) {
    if (name.startsWith('--')) tokens[name] = rule.style.getPropertyValue(name);
  }
}
