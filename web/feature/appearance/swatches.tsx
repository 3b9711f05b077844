import type { Appearance } from '#domain/appearance.ts';
import { PALETTES, PALETTE_NAMES } from '#domain/palette.ts';

import { Tones } from './look.tsx';

interface SwatchesProps {
  /** The number of a palette, or null if another look is chosen. */
  readonly chosen: number | null;
  readonly onChoose: (look: Partial<Appearance>) => void;
}

export function Swatches({ chosen, onChoose }: SwatchesProps) {
  return (
    <div className="appearance-swatches">
      {PALETTES.map((palette, at) => (
        <label key={palette.tones[0]} className="appearance-swatch note">
          <input
            type="radio"
            name="look"
            checked={chosen === at}
            onChange={() => onChoose({ palette: 'id', swatch: at })}
          />
          <Tones palette={palette} />
          {PALETTE_NAMES[at]}
        </label>
      ))}
    </div>
  );
}
