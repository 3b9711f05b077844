import { useId } from 'react';
import type { CSSProperties, ComponentProps, ReactNode } from 'react';

import { hueOf, ownPalette } from '#domain/own-palette.ts';
import { SCHEMES, accentProperties } from '#domain/palette.ts';
import type { Palette, Scheme } from '#domain/palette.ts';
import { DraftCard } from '#web/shared/ui/draft-card.tsx';

const SCHEME_NAMES = { light: 'Light', dark: 'Dark' } as const;

/** Shows the top of the card in both colour schemes. Screen readers skip it, because it shows only colours. */
export function Preview({ palette, ...props }: ComponentProps<typeof DraftCard>) {
  return (
    <div className="appearance-previews note" aria-hidden="true">
      {SCHEMES.map((scheme) => (
        <div key={scheme} className="appearance-preview">
          <div className="appearance-frame panel" style={schemeStyle(palette, scheme)}>
            <div className="appearance-card">
              <DraftCard palette={palette} {...props} />
            </div>
          </div>
          {SCHEME_NAMES[scheme]}
        </div>
      ))}
    </div>
  );
}

/** The surfaces that view/poster.css tints when the screen uses the dark scheme. */
const TINTED_SURFACES = ['paper', 'surface', 'tile'] as const;
const DARK_SCHEME = /prefers-color-scheme:\s*dark/;

/** Returns the tokens of a colour scheme (view/tokens.css), even if the screen uses the other one. */
function schemeStyle(palette: Palette, scheme: Scheme): CSSProperties {
  const tokens: Record<string, string> = {};
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      addTokens(tokens, rule);
      const isDark = rule instanceof CSSMediaRule && DARK_SCHEME.test(rule.conditionText);
      if (isDark && scheme === 'dark') for (const inner of rule.cssRules) addTokens(tokens, inner);
    }
  }
  const accents = accentProperties(palette, scheme);
  const surfaces = TINTED_SURFACES.map((name) => {
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

/** Draws the five tones of a palette side by side. */
export function Tones({ palette: { tones } }: { readonly palette: Palette }) {
  return (
    <svg
      className="appearance-tones"
      viewBox={`0 0 ${tones.length} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      {tones.map((tone, index) => (
        <path key={tone} fill={tone} d={`M${index} 0h1v1h-1z`} />
      ))}
    </svg>
  );
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
      <Tones palette={palette} />
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
  /** Called on each movement in the browser's colour picker. */
  readonly onPick: (hue: number) => void;
  readonly onCommit: (hue: number) => void;
}

/** Lets the owner pick any colour, of which only the hue is used. */
export function HueInput({ hue, onPick, onCommit }: HueInputProps) {
  // React's onChange listens to the event `input`, which fires before the owner has decided.
  const listen = (input: HTMLInputElement) => {
    const commit = () => onCommit(hueOf(input.value));
    input.addEventListener('change', commit);
    return () => input.removeEventListener('change', commit);
  };
  return (
    <input
      ref={listen}
      type="color"
      className="appearance-hue"
      aria-label="Colour"
      value={ownPalette(hue).deep.light}
      onChange={({ target }) => onPick(hueOf(target.value))}
    />
  );
}
