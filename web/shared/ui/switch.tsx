import './switch.css';

import type { ComponentProps } from 'react';

interface SwitchProps extends ComponentProps<'button'> {
  readonly isOn: boolean;
  readonly isBusy: boolean;
  readonly onClick: () => void;
}

/** A switch with its label. It ignores presses while a change is being saved. */
export function Switch({ isOn, isBusy, onClick, children, ...attributes }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="text-button switch"
      aria-checked={isOn}
      aria-busy={isBusy}
      onClick={() => !isBusy && onClick()}
      {...attributes}
    >
      <span className="switch-track" />
      {children}
    </button>
  );
}
