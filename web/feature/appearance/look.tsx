import { useEffect, useEffectEvent, useId, useRef } from 'react';
import type { CSSProperties, ReactNode } from 'react';

import { hueOf, ownPalette } from '#domain/own-palette.ts';
import { SCHEMES, accentsOf } from '#domain/palette.ts';
import type { Palette, Scheme } from '#domain/palette.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
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

interface LookOptionProps {
  readonly name: string;
  readonly note: string;
  readonly palette: Palette;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function LookOption({ name, note, palette, isChosen, onChoose, children }: LookOptionProps) {
  const noteId = useId();
  return (
    <div className="appearance-look">
      <svg
        className="appearance-swatches"
        viewBox={`0 0 ${palette.tones.length} 1`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        {palette.tones.map((tone, at) => (
          <path key={tone} fill={tone} d={`M${at} 0h1v1h-1z`} />
        ))}
      </svg>
      <label className="covers row">
        <input
          type="radio"
          name="look"
          checked={isChosen}
          aria-describedby={noteId}
          onChange={onChoose}
        />
        {name}
      </label>
      <p id={noteId} className="muted">
        {note}
      </p>
      {children}
    </div>
  );
}

interface HueInputProps {
  readonly hue: number;
  /** While the colour moves. */
  readonly onPick: (hue: number) => void;
  readonly onCommit: (hue: number) => void;
}

/** Only the hue of a colour is taken. */
export function HueInput({ hue, onPick, onCommit }: HueInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const commit = useEffectEvent(() => onCommit(hueOf(input.current?.value ?? '')));
  useEffect(() => {
    // React's onChange is the event `input`.
    const element = input.current;
    element?.addEventListener('change', commit);
    return () => element?.removeEventListener('change', commit);
  }, []);
  return (
    <input
      ref={input}
      type="color"
      className="appearance-hue"
      aria-label="Colour"
      value={ownPalette(hue).deep.light}
      onChange={({ target }) => onPick(hueOf(target.value))}
    />
  );
}
