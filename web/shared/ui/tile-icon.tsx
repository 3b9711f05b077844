import './note-box.css';

import type { ComponentProps } from 'react';

import { LineIcon } from './line-icon.tsx';

/** The icon of a step or of an empty state. */
export function TileIcon(props: ComponentProps<typeof LineIcon>) {
  return (
    <span className="tile-icon">
      <LineIcon {...props} />
    </span>
  );
}
