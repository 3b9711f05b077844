import { useEffect, useEffectEvent, useRef } from 'react';

import { hueOf, ownPalette } from '#domain/own-palette.ts';

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
